"""Fewer cases, fewer features: what kantardzic2011 does to data before learning.

Cases: `systematic`, `random_sample`, `stratified`, `inverse`, `windows`, `incremental`,
`average_sampling`, and how many it takes: `mean_sample_size`, `proportion_sample_size`,
`two_stage`.
Features: `means_and_variances`, `correlations`, `backward_elimination`, `dm_distance`,
`best_by_dm`, `relief`, `entropy_ranking`, `principal_components`; most of them by name through
`features`, and on a part of the cases that is large enough by `on_part`. A numeric outcome
becomes classes by `pseudo_classes`. `embedding` places cases on few axes.
`values` makes fewer different numbers; `filled` puts numbers in place of missing ones.
"""

from treelab.reduce.components import PrincipalComponents, principal_components
from treelab.reduce.correlation import (
    backward_elimination,
    correlations,
    multiple_r_squared,
    pearson,
)
from treelab.reduce.distance import best_by_dm, dm_distance
from treelab.reduce.embedding import Embedding, embedding
from treelab.reduce.entropy import (
    EntropyRanking,
    entropy_ranking,
    scaled,
    similarity_alpha,
    similarity_entropy,
)
from treelab.reduce.features import features
from treelab.reduce.filling import filled, filling
from treelab.reduce.judged import Reduction
from treelab.reduce.means import mean_variance_test, means_and_variances
from treelab.reduce.models import (
    AverageModel,
    LearningCurve,
    average_sampling,
    combined,
    incremental,
)
from treelab.reduce.nearest import relief
from treelab.reduce.outcome import pseudo_classes
from treelab.reduce.part import PartSelection, on_part
from treelab.reduce.sampling import (
    Sample,
    capped,
    expected_draws,
    inverse,
    random_sample,
    stratified,
    systematic,
    windows,
)
from treelab.reduce.sizes import (
    TwoStage,
    further_cases,
    mean_sample_size,
    proportion_sample_size,
    two_stage,
)
from treelab.reduce.values import values

__all__ = [
    "AverageModel",
    "Embedding",
    "EntropyRanking",
    "LearningCurve",
    "PartSelection",
    "PrincipalComponents",
    "Reduction",
    "Sample",
    "TwoStage",
    "average_sampling",
    "backward_elimination",
    "best_by_dm",
    "capped",
    "combined",
    "correlations",
    "dm_distance",
    "embedding",
    "entropy_ranking",
    "expected_draws",
    "features",
    "filled",
    "filling",
    "further_cases",
    "incremental",
    "inverse",
    "mean_sample_size",
    "mean_variance_test",
    "means_and_variances",
    "multiple_r_squared",
    "on_part",
    "pearson",
    "principal_components",
    "proportion_sample_size",
    "pseudo_classes",
    "random_sample",
    "relief",
    "scaled",
    "similarity_alpha",
    "similarity_entropy",
    "stratified",
    "systematic",
    "two_stage",
    "values",
    "windows",
]
