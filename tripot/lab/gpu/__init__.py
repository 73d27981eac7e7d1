"""Games on a GPU (extra `gpu`): whole games inside kernels, and a vector environment that stays on the device."""

from tripot.lab.gpu.tables import EngineMissing, VectorTables, play_gpu, require_gpu

__all__ = ["EngineMissing", "VectorTables", "play_gpu", "require_gpu"]
