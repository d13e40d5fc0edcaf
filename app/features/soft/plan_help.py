"""The page of the help on planned motion of soft bodies."""

HELP = """
<p>Say where a soft body is to be and when; found is what its <b>activation splines</b>, or <b>forces on its points</b>,
must do for that, by the physics that it plays by: it jumps to a mark, crawls there, or rears up, as far as they
can.</p>
<p>In the <b>Soft body</b> panel unfold <b>Plan motion</b>. Go to a time and choose <b>Be here at this time</b>: a
mark stands where the body's centre is then. Drag the mark to where the centre is to be, with Shift along an axis, or
type its place. <b>In this shape</b> wants all of it in the shape that it has, standing still, to end a jump on its
feet. A keyframe may want a velocity, too.</p>
<p><b>On all points</b> puts a force of its own on each point of the body; <b>Near a point</b> on those around the one
that was clicked last. <b>Strongest</b> is what a plan may find for each along an axis, and effort counts forces as
shares of it. They go straight from knot to knot, or stay as they are until the next one. Ticked ones may be used,
beside splines or alone. What is kept plays back by itself, with arrows in the views and curves in the timeline; there
marks can be dragged in time, too.</p>
<p><b>Plan</b> searches, in a process of its own. Each better motion is drawn at once: its shapes over time, the way
of its centre, and in words by how much each mark is missed. <b>Stop</b> ends the search, the last motion stays.
<b>Keep</b> makes keys of the splines' activations and says what forces do, one step that can be undone; <b>Drop</b>
forgets it.</p>
<p>Looked for is the least of effort, unrest and missed keyframes,</p>
<p class="equation">φ = ½ |a|² + ½ β Σ |a<sup>j</sup> − a<sup>j−1</sup>|₁ + ½ μ Σ w |q − goal|²</p>
<p>with a = α − 1 of splines and a = f / (s √n) of the forces on n points, s the strongest (Engell-Nørregård 2012, 104
and 105; <b>Sparse</b> has (|a|₁)² in the first place, 106). <b>Effort counts</b>, <b>Calm counts</b> (β) and
<b>Keyframes count</b> (μ) weigh them. L-BFGS goes down its gradient, which one run backward through all steps gives,
contact and friction included (131, 132):</p>
<p class="equation">r<sup>i−1</sup> = (∂F/∂q)ᵀ r<sup>i</sup> + ∂φ/∂q<sup>i−1</sup></p>
<p>Contact makes this rugged: what helps is a mark in the air before one on the ground, few <b>knots</b>, and to plan
again from what was kept. A mark that is out of reach is missed, and it is said which splines and forces are at their
limits. Bodies that are stepped over a window, that water pushes, that hands pulled or that push others are not
planned.</p>
"""
