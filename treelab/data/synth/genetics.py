"""Two loci that cause a disease together."""

from typing import Literal, get_args

import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.data.synth.draw import chance, chosen, source
from treelab.data.synth.table import numbered, together
from treelab.errors import ParameterError, check_choice, check_number, check_share

Model = Literal["xor", "threshold"]

ALLELES = ("0", "1", "2")


def epistasis(
    cases: int = 400,
    m: int = 18,
    model: Model = "xor",
    maf: float = 0.5,
    heritability: float = 0.2,
    prevalence: float = 0.5,
    seed: int = 0,
) -> Dataset:
    """Disease of two loci X1 and X2 among m others, each 0, 1 or 2 minor alleles.

    The two alleles of a locus are independent (Hardy-Weinberg). Where the model says 'at risk' the
    disease is more likely than elsewhere, by so much that the variance of its probability is
    `heritability` times that of the disease. With model 'xor' and maf 0.5 neither locus alone
    tells anything.

    Parameters
    ----------
    cases
        The number of people drawn from the population.
    m
        The loci R1, R2, ... that do nothing.
    model
        'xor': at risk if exactly one of the loci has one minor allele; 'threshold': if they have
        three or more together.
    maf
        The frequency of the minor allele, the same at all loci.
    heritability
        The part of the disease that the two loci explain.
    prevalence
        The share of the population with the disease.
    seed
        For everything that is left to chance.
    """
    check_number("cases", cases, 1, whole=True)
    check_number("m", m, 0, whole=True)
    table = penetrance(model, maf, heritability, prevalence)
    rng = source(seed, "epistasis")
    loci = chosen(rng, genotypes(maf), (m + 2) * cases).reshape(m + 2, cases)
    y = chance(rng, table[loci[0], loci[1]], cases)
    parts = numbered("X", loci[:2], ALLELES) + numbered("R", loci[2:], ALLELES)
    return together("epistasis", parts, y, ("healthy", "ill"))


def genotypes(maf: float) -> FloatArray:
    """Return the shares of people with 0, 1 and 2 minor alleles (Hardy-Weinberg)."""
    check_share("maf", maf, 0.5)
    return np.array([(1 - maf) ** 2, 2 * maf * (1 - maf), maf**2])


def penetrance(model: Model, maf: float, heritability: float, prevalence: float) -> FloatArray:
    """Return how likely the disease is for the alleles of both loci, (3, 3)."""
    check_choice("model", model, get_args(Model))
    check_share("heritability", heritability)
    check_share("prevalence", prevalence)
    weights = np.outer(genotypes(maf), genotypes(maf))
    first, second = np.indices((3, 3))
    at_risk = (first == 1) != (second == 1) if model == "xor" else first + second >= 3
    share = float(weights[at_risk].sum())
    if not 0 < share < 1:
        raise ParameterError(f"nobody is at risk at maf {maf}: choose a larger one")
    contrast = (at_risk - share) / np.sqrt(share * (1 - share))  # mean 0, variance 1
    return _checked(contrast, heritability, prevalence)


def _checked(contrast: FloatArray, heritability: float, prevalence: float) -> FloatArray:
    variance = prevalence * (1 - prevalence)
    room = min(prevalence / -contrast.min(), (1 - prevalence) / contrast.max())
    most = room**2 / variance if variance else 0.0
    if heritability > most + 1e-12:
        raise ParameterError(
            f"heritability can be at most {most:.3g} with these maf and prevalence, "
            f"got {heritability}"
        )
    risk = prevalence + np.sqrt(heritability * variance) * contrast
    return np.asarray(risk.clip(0.0, 1.0))
