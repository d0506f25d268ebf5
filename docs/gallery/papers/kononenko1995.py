"""
kononenko1995: Figures 1 to 10
==============================

I. Kononenko: *On Biases in Estimating Multi-Valued Attributes*, IJCAI 1995. What fourteen measures
make of attributes that differ in their number of values only: (a) attributes that tell nothing
about the class, (b) attributes that all tell the same. An unbiased measure draws level lines.
``treelab reproduce kononenko1995`` takes 1,000 trials for each point; here it is a quarter of that.
"""

import attrs

from treelab.experiment import report_figures, run_simulation
from treelab.papers.catalog import paper_study

study = paper_study("kononenko1995", quick=True)
first, *others = study.parts  # the figures, without what we added
study = attrs.evolve(study, parts=(first, *(attrs.evolve(part, seeds=0) for part in others)))
figures = report_figures(run_simulation(study))

# %%
# Figure 1: information gain.
figures["figure-1"]

# %%
# Figure 2: Gini.
figures["figure-2"]

# %%
# Figure 3: Relevance.
figures["figure-3"]

# %%
# Figure 4: Relief.
figures["figure-4"]

# %%
# Figure 5: gain ratio.
figures["figure-5"]

# %%
# Figure 6: MDL'.
figures["figure-6"]

# %%
# Figure 7: MDL.
figures["figure-7"]

# %%
# Figure 8: weight of evidence, by the Laplace estimate.
figures["figure-8"]

# %%
# Figure 9: P(chi2), the confidence that attribute and class depend.
figures["figure-9"]

# %%
# Figure 10: P(G), the same by the likelihood ratio.
figures["figure-10"]

# %%
# 1-D, which the paper calls very similar to the gain ratio.
figures["distance"]

# %%
# Gini', which it calls practically identical to Gini.
figures["gini-prime"]

# %%
# Weight of evidence by the m-estimate, m = 2.
figures["evidence-m"]
