"""Games on a GPU (extra `gpu`): whole games inside kernels, and a vector environment that stays on the device."""

from tripot.lab.gpu.device import EngineMissing, require_gpu
from tripot.lab.gpu.tables import VectorTables
from tripot.lab.gpu.whole_games import play_gpu

__all__ = ["EngineMissing", "VectorTables", "play_gpu", "require_gpu"]
