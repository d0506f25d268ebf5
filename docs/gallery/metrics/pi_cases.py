"""
Pi's four cases
===============

vilalta2001 judges a feature by pairs of cases: same or other value, same or other class. ``alpha``
says how fast pairs lose weight with their distance. On a parity of two bits only near pairs speak
for the right features.
"""

import treelab as tl
from treelab.plots import draw_pi_cases

data = tl.make("exor", n=2, m=8, cases=200, seed=0)
draw_pi_cases(tl.pi_cases(data, "X1"))

# %%
# The same for a bit of noise.
draw_pi_cases(tl.pi_cases(data, "R1"))

# %%
# On real data far pairs tell something, too.
draw_pi_cases(tl.pi_cases(tl.load("voting"), "physician-fee-freeze"))
