"""Pictures of kernels: points in the plane."""

from mpgk_core.embedding.kernel_pca import KernelEmbedding, kernel_pca

__all__ = ["KernelEmbedding", "kernel_pca"]
