"""SpacetimePanel: the problem of a planned motion, the search for it, and what came of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.sheet_form import quiet
from app.features.spacetime.chart import SearchChart
from app.features.spacetime.constraints import ConstraintFields
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.effort import EffortFields
from app.features.spacetime.forces import ForceFields
from app.features.spacetime.meeting_plans import others_meetings
from app.features.spacetime.meetings import MeetingFields
from app.features.spacetime.misses import MissList
from app.features.spacetime.muscles import MuscleFields
from app.features.spacetime.planning import plan_here
from app.features.spacetime.searching import SearchFields
from app.features.spacetime.stages import StageFields
from app.features.spacetime.words import about, progress_text
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.scrolled import scrolled_column
from app.style.section import FoldedSection

Fields = StageFields | ConstraintFields | MeetingFields | ForceFields | MuscleFields | EffortFields | SearchFields


class SpacetimePanel(Following):
    """The dock."""

    title = "Spacetime"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p>Say where a figure starts, where it must land and which joints have muscles: found is the motion of least effort that
physics allows. Pose it, then <b>From this pose</b>; or <b>From two keys</b>, those that are chosen in the timeline.</p>
<p><b>Stages</b> follow each other: it stands, flies, stands again. Each is so long, or as long as is best; its root is
nailed, its points stand on the ground, or it flies, and the ground may strike as it lands. <b>Be here then</b> demands
the pose at the playhead, <b>This point here</b> the place of the selected joint; drag their markers in the views and in
the timeline. <b>Muscles</b> may be in all joints or in few, and as strong as you say. <b>Effort</b> weighs what is to
be least; a head can be kept calm.</p>
<p><b>Meetings</b> are with another figure: select a part of it, then, with Shift, one of this, and <b>These points
meet</b> at the playhead, or are at a distance, or as fast; or they <b>Push each other</b>, as a hand and a ball do.
What meets is found and kept together.</p>
<p><b>Forces</b> push points of your choice, such as wind or a kick: of a size that you say, or as large as it takes.
Drag the heads of their arrows in the views.</p>
<p><b>Find motion</b> shows each step as a ghost. Stop when you like what you see, and <b>Keep</b> it: a layer, with
torques that physics can play back. While it stands, each change of the problem is followed at once. What cannot be met
is said with its time and size: a click goes there. <b>Compare minima</b> finds several ways to do it, and stands them
side by side.</p>
<p>A physical in-between (Animate &gt; Spacetime) fills the time between two keys with the motion of least effort.</p>
<p>Of all motions q(t) that obey Lagrange's equations with the torques τ of muscles and forces f of the ground, it is
the one for which the integral is least (Witkin and Kass 1988; Winzell 2004):</p>
<p class="equation">min ∫ τ² dt, &nbsp;&nbsp; d/dt ∂L/∂q̇ − ∂L/∂q = τ + Jᵀ f, &nbsp;&nbsp; c(q, q̇, τ, f) ≥ 0</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.name, self.about = ElidedLabel(), quiet()
        self.from_pose, self.from_keys = QPushButton("From this pose"), QPushButton("From two keys")
        self.run, self.stop, self.keep = QPushButton("Find motion"), QPushButton("Stop"), QPushButton("Keep")
        self.forget = IconButton("trash-2", "Remove the planned motion; a layer that was kept stays")
        self.words, self.told, self.said = QLabel(wordWrap=True), quiet(), QLabel(wordWrap=True)
        self.words.setProperty("warned", True)
        self.chart, self.misses = SearchChart(), MissList(session)
        self.fields: dict[str, Fields] = {}
        kinds: dict[str, tuple[str, type[Fields]]] = {
            "stages": ("Stages", StageFields),
            "constraints": ("Constraints", ConstraintFields),
            "meetings": ("Meetings", MeetingFields),
            "forces": ("Forces", ForceFields),
            "muscles": ("Muscles", MuscleFields),
            "effort": ("Effort", EffortFields),
            "search": ("Search", SearchFields),
        }
        self.sections = {
            name: FoldedSection(title, partial(self._build, name, kind)) for name, (title, kind) in kinds.items()
        }
        self._connect()
        self._arrange()
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 560)

    def set_seen(self, seen: bool) -> None:
        """Ask what of the problem cannot be only while the panel is seen."""
        super().set_seen(seen)
        self._current.watch(seen)

    def refresh(self) -> None:
        """Show the problem, and what the search has come to."""
        current, actor, part = self._current, self._current.actor, self._current.part
        self.name.set_text("No figure" if actor is None else actor.name)
        words = about(actor)
        self.about.setText(words)
        self.about.setVisible(bool(words))
        free = actor is not None and not actor.frozen
        self._beginning.setVisible(part is None and free)
        self._own.setVisible(part is not None)
        self._own.setEnabled(free)
        self.forget.setVisible(part is not None and free)
        if part is not None:
            for fields in self.fields.values():
                fields.show_plan()
            counts = {name: len(getattr(part, name)) for name in ("stages", "constraints", "forces", "muscles")}
            counts["meetings"] = len(part.meetings) + len(others_meetings(self._session.shown, actor))
            for name, count in counts.items():
                self.sections[name].header.set_summary(str(count) if count else "none")
            weights = [each for each in ("torque", "power", "work", "smoothness") if getattr(part, each)]
            self.sections["effort"].header.set_summary(", ".join(weights) or "none")
        self.words.setText("\n".join(current.words))
        self.words.setVisible(bool(current.words) and part is not None)
        self.show_search()

    def show_search(self) -> None:
        """Show what the search has come to."""
        current = self._current
        running, motion = current.running, current.motion
        self.run.setVisible(not running)
        self.stop.setVisible(running)
        self.keep.setEnabled(motion is not None)
        text = progress_text(current) if running else current.report
        good = running or current.come.solved or current.is_stale or not text
        self.told.setText(text if good else "")
        self.told.setVisible(good and bool(text))
        self.said.setText("" if good else text)
        self.said.setVisible(not good)
        self.chart.show_search(current)
        self.chart.setVisible(len(current.iterates) > 1)
        self.misses.show_misses([] if running else current.misses)
        fields = self.fields.get("search")
        if isinstance(fields, SearchFields):
            fields.show_search()
        count = len(current.minima)
        self.sections["search"].header.set_summary(f"{count} minima" if count > 1 else "")

    def _build(self, name: str, kind: type[Fields]) -> QWidget:
        made = self.fields[name] = kind(self._session)
        made.show_plan()
        return made

    def _connect(self) -> None:
        current = self._current
        self.from_pose.setToolTip("Plan a motion that begins with the pose at the playhead")
        self.from_keys.setToolTip(
            "Plan a motion from the first to the last of the keys that are chosen in the timeline; where none is, "
            "between the keys before and after the playhead"
        )
        self.run.setToolTip("Find the motion of least effort that physics allows")
        self.stop.setToolTip("End the search; the last step stays and can be kept")
        self.keep.setToolTip("Make the motion that is shown a layer of the figure, in place of the one kept before")
        self.from_pose.clicked.connect(lambda: plan_here(self._session))
        self.from_keys.clicked.connect(lambda: self.action_asked.emit("spacetime.plan_between"))
        self.run.clicked.connect(lambda: current.run())
        self.stop.clicked.connect(current.stop)
        self.keep.clicked.connect(current.keep)
        self.forget.clicked.connect(lambda: self.action_asked.emit("spacetime.remove"))
        current.changed.connect(self.follow)
        for signal in (current.iterated, current.ended):
            signal.connect(lambda: self.show_search() if self._seen else self.follow())

    def _arrange(self) -> None:
        inside = scrolled_column(self)
        self._beginning = row_of(self.from_pose, self.from_keys)
        self._own = QWidget()
        own = QVBoxLayout(self._own)
        own.setContentsMargins(0, 0, 0, 0)
        own.setSpacing(4)
        for widget in (row_of(self.run, self.stop, self.keep), self.words, self.told, self.said, self.misses):
            own.addWidget(widget)
        own.addWidget(self.chart)
        for section in self.sections.values():
            own.addWidget(section)
        for widget in (row_of(self.name, self.forget, narrow=(IconButton,)), self.about, self._beginning, self._own):
            inside.addWidget(widget)
        inside.addStretch(1)
        for name in ("stages", "constraints"):
            self.sections[name].header.set_unfolded(True)
