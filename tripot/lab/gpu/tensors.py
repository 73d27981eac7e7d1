"""PyTorch on the GPU: arrays of numba-cuda as its tensors, without a copy, and launches of kernels as a CUDA graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tripot.lab.gpu.device import EngineMissing, require_gpu


class Tensors:
    """PyTorch, where its tensors lie, and a stream for kernels. Tests have one of their own."""

    device = "cuda"

    def __init__(self) -> None:
        try:
            self.torch: Any = import_module("torch")
        except ImportError:
            raise EngineMissing("device='cuda' needs PyTorch: pip install 'tripot[train]'") from None
        self._stream: Any = None

    def of(self, array: Any) -> Any:
        """The tensor that is this array."""
        return self.torch.as_tensor(array, device=self.device)

    @property
    def stream(self) -> Any:
        """The stream for kernels, as numba-cuda has it."""
        cuda = require_gpu()  # says what is missing more plainly than PyTorch
        if self._stream is None:
            self._stream = self.torch.cuda.Stream()
        return cuda.external_stream(self._stream.cuda_stream)

    @contextmanager
    def kernels(self) -> Iterator[None]:
        """Kernels launched inside come after what PyTorch was asked to do before, and before what it is asked later."""
        now = self.torch.cuda.current_stream()
        self._stream.wait_stream(now)
        yield
        now.wait_stream(self._stream)

    def captured(self, launch: Callable[[], None]) -> Callable[[], None]:
        """The kernels that `launch` launches as one graph: launching each takes the host longer than the device."""
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self._stream, capture_error_mode="relaxed"):
            launch()
        replay: Callable[[], None] = graph.replay
        return replay
