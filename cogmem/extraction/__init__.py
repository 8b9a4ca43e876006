"""Extraction: a model reads talk and proposes memories; the one write path decides what stays.

extract → search → deduplicate → persist, with two calls of the model at most. `pipeline` runs the
stages, `work` is what passes through them, `talk` is what the model is shown and `reading` how its
answers are read.
"""

from __future__ import annotations

from cogmem.extraction.pipeline import STAGES, again, run, totals
from cogmem.extraction.record import extract_record
from cogmem.extraction.work import Extracted, Options, Proposal, StageFailed, Work, options_of

__all__ = [
    "STAGES", "Extracted", "Options", "Proposal", "StageFailed", "Work", "again", "extract_record", "options_of",
    "run", "totals",
]  # fmt: skip
