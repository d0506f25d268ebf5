"""
hong1996: normalization by chance
=================================

S. J. Hong, J. R. M. Hosking, S. Winograd: *Use of Randomization to Normalize Feature Merits*, 1996.
The paper has tables and no figures; these show what its tables say.
"""

import attrs

from treelab.experiment import report_figures, run_simulation
from treelab.papers.catalog import paper_study

study = paper_study("hong1996", quick=True, repeats=30)
drawn = ("table", "merits", "bias")  # the other parts are asked nothing
parts = [part if part.name in drawn else attrs.evolve(part, seeds=0) for part in study.parts]
answers = run_simulation(attrs.evolve(study, parts=tuple(parts)))
figures = report_figures(answers)

# %%
# Does a merit rank X1 to X3, whose exclusive or is the class, above ten features of noise? The
# least merit of the three over the largest of the noise, a dot for each draw: right of 1 it does.
figures["contest"]

# %%
# What measures give for noise of 2 to 200 values: as they are, and over their expectation.
figures["bias"]

# %%
# What has to be balanced: the power of a feature (CM1), and how much better than chance it is
# (NCM1).
figures["trade-off"]
