"""The keywords of ``dovetail.align``, for editors and type checkers."""

from typing import TypedDict


class Parameters(TypedDict, total=False):
    """Made by python/tests/package/make_parameters.py; docs/parameters.md says what they mean."""

    mode: str
    strategy: str
    pool: str
    decoder: str
    cardinality: str
    min_confidence: float
    precision: float
    none_above: float
    compare: bool
    reasons: int
    calibrate: bool
    memory: int
    seed: int
    dimension: int
    depth: int
    entity_feature: str
    relation_feature: bool
    attention: str
    transform: str
    reflection: str
    representation: str
    self_loops: bool
    sampling: str
    tau: float
    reach: int
    distinct_draws: bool
    epochs_per_sample: int
    loss: str
    dropout: float
    standardise: bool
    standardise_epsilon: float
    cosine_power: int
    margin: float
    negatives: str
    negative_count: int
    nearest: int
    epochs: int
    batch_size: int
    most_batches: int
    optimiser: str
    learning_rate: float
    decay: float
    optimiser_epsilon: float
    tie_seeds: bool
    patience: int
    search: str
    search_fold: int
    search_probes: int
    candidates: int
    csls: int
    clip: float
    turns: int
    restart_steps: int
    restart_batch: int
    restart_rate: float
    scout_dimension: int
    sure: float
    turn_epochs: int
    epsilon: float
    name_source: str
    transliterate: bool
    weight_characters: float
    weight_words: float
    weight_vectors: float
    word_vectors: str
    right_word_vectors: str
    learn_scales: bool
    structure_scale: float
    name_scale: float
    sinkhorn_iterations: int
    temperature: float
