"""Thousands of tables of one game in one array, stepped together by native code on all cores."""

from tripot.lab.batch.batch import Arrays, BadBatch, Batch, IllegalAction, measure

__all__ = ["Arrays", "BadBatch", "Batch", "IllegalAction", "measure"]
