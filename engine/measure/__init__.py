"""Measure: any quantity of a motion against time, for plots and tables.

`engine.measure.quantities` names what can be asked, without a kernel; `engine.measure.moving` finds how the joints of
an actor move; `engine.measure.series` puts both together.
"""
