"""Eight Triton kernels: compiled to PTX, run on a GPU, and described so that Sluice can run the PTX as it is."""
import json
import os
import sys

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, out, weight, bias, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * stride + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, axis=0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(weight + at, mask=inside)
    b = tl.load(bias + at, mask=inside)
    tl.store(out + row * stride + at, (centred * scale * w + b).to(out.dtype.element_ty), mask=inside)


@triton.jit
def matmul(a, b, c, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * stride_a + inner[None, :]
    right = b + inner[:, None] * stride_b + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(tl.float16))


@triton.jit
def matmul_tma(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        total = tl.dot(a.load([row, k * BK]), b.load([k * BK, column]), total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, scale, length, stride_head, stride_row, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    head = tl.program_id(1) * stride_head
    d = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * stride_row + d[None, :])
    best = tl.full((BM,), -float("inf"), dtype=tl.float32)
    weight = tl.zeros((BM,), dtype=tl.float32)
    total = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        columns = start + tl.arange(0, BN)
        key = tl.load(k + head + columns[None, :] * stride_row + d[:, None])
        score = tl.dot(query, key) * scale
        now = tl.maximum(best, tl.max(score, 1))
        p = tl.exp2(score - now[:, None])
        keep = tl.exp2(best - now)
        weight = weight * keep + tl.sum(p, 1)
        value = tl.load(v + head + columns[:, None] * stride_row + d[None, :])
        total = tl.dot(p.to(tl.float16), value, total * keep[:, None])
        best = now
    tl.store(out + head + rows[:, None] * stride_row + d[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    keep = tl.rand(seed, at) > p
    values = tl.load(x + at, mask=inside)
    tl.store(out + at, tl.where(keep, values / (1 - p), 0.0), mask=inside)


@triton.jit
def grouped_gemm(a, b, c, offsets, groups, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, CTAS: tl.constexpr):
    tile = tl.program_id(0)
    first = 0
    for g in range(groups):
        begin = tl.load(offsets + g)
        rows_here = tl.load(offsets + g + 1) - begin
        tiles_n = tl.cdiv(N, BN)
        tiles = tl.cdiv(rows_here, BM) * tiles_n
        while tile >= first and tile < first + tiles:
            mine = tile - first
            rows = begin + (mine // tiles_n) * BM + tl.arange(0, BM)
            columns = (mine % tiles_n) * BN + tl.arange(0, BN)
            inner = tl.arange(0, BK)
            total = tl.zeros((BM, BN), dtype=tl.float32)
            inside = rows[:, None] < begin + rows_here
            for k in range(0, tl.cdiv(K, BK)):
                left = tl.load(a + rows[:, None] * K + (k * BK + inner)[None, :], mask=inside, other=0.0)
                right = tl.load(b + g * K * N + (k * BK + inner)[:, None] * N + columns[None, :])
                total = tl.dot(left, right, total)
            tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16), mask=inside)
            tile += CTAS
        first += tiles


def numbers(count, seed, dtype, scale=1.0):
    """Inputs that any language can make: the top 16 bits of a linear congruence, in -1 to 1, exact in half precision."""
    i = torch.arange(count, dtype=torch.int64)
    x = (i * 1103515245 + 12345 * (seed + 1) + (i >> 7) * 2654435) % 2147483648
    return (((x >> 16) % 256).float() / 128 - 1).mul(scale).to(dtype).cuda()


def cases():
    n = 98432
    x, y, out = numbers(n, 1, torch.float32), numbers(n, 2, torch.float32), torch.zeros(n, device="cuda")
    yield "vector_add", vector_add, (97,), [x, y, out, n], dict(BLOCK=1024), 4, out, ["in:1", "in:2", "out", n]
    rows, columns = 1823, 781
    x, out = numbers(rows * columns, 3, torch.float32, 4.0), torch.zeros(rows * columns, device="cuda")
    yield "softmax", softmax, (rows,), [out, x, columns, columns], dict(BLOCK=1024), 8, out, None
    rows, columns = 1024, 1024
    x, w, b = numbers(rows * columns, 4, torch.float16), numbers(columns, 5, torch.float32), numbers(columns, 6, torch.float32)
    out = torch.zeros(rows * columns, device="cuda", dtype=torch.float16)
    yield "layer_norm", layer_norm, (rows,), [x, out, w, b, columns, columns, 1e-5], dict(BLOCK=1024), 4, out, None
    size = 512
    a, b = numbers(size * size, 7, torch.float16).view(size, size), numbers(size * size, 8, torch.float16).view(size, size)
    c = torch.zeros(size, size, device="cuda", dtype=torch.float16)
    yield "matmul", matmul, (size // 128, size // 128), [a, b, c, size, size, size, size, size, size], dict(BM=128, BN=128, BK=64), 8, c, None
    c = torch.zeros(size, size, device="cuda", dtype=torch.float16)
    da, db, dc = (TensorDescriptor.from_tensor(a, [128, 64]), TensorDescriptor.from_tensor(b, [64, 128]),
                  TensorDescriptor.from_tensor(c, [128, 128]))
    yield "matmul_tma", matmul_tma, (size // 128, size // 128), [da, db, dc, size], dict(BM=128, BN=128, BK=64), 8, c, None
    heads, length, d = 4, 512, 64
    q, k, v = (numbers(heads * length * d, s, torch.float16) for s in (9, 10, 11))
    out = torch.zeros(heads * length * d, device="cuda", dtype=torch.float16)
    yield "attention", attention, (length // 64, heads), [q, k, v, out, 0.125 * 1.44269504, length, length * d, d], dict(BM=64, BN=64, D=64), 4, out, None
    n = 65536
    x, out = numbers(n, 12, torch.float32), torch.zeros(n, device="cuda")
    yield "dropout", dropout, (64,), [x, out, n, 0.3, 20261], dict(BLOCK=1024), 4, out, None
    groups, n, k = 4, 256, 256
    offsets = torch.tensor([0, 100, 356, 420, 640], dtype=torch.int32, device="cuda")
    a, b = numbers(640 * k, 13, torch.float16), numbers(groups * k * n, 14, torch.float16)
    c = torch.zeros(640 * n, device="cuda", dtype=torch.float16)
    yield "grouped_gemm", grouped_gemm, (8,), [a, b, c, offsets, groups, n, k], dict(BM=64, BN=64, BK=64, CTAS=8), 4, c, None


def main(folder):
    os.makedirs(folder, exist_ok=True)
    profile = len(sys.argv) > 2 and sys.argv[2] == "profile"
    for name, kernel, grid, args, constants, warps, out, _ in cases():
        try:
            compiled = kernel[grid](*args, **constants, num_warps=warps)
            torch.cuda.synchronize()
            if profile:
                torch.cuda.profiler.start()
                kernel[grid](*args, **constants, num_warps=warps)
                torch.cuda.synchronize()
                torch.cuda.profiler.stop()
                continue
            meta = compiled.metadata
            description = {
                "kernel": meta.name, "grid": list(grid), "block": 32 * warps, "shared": meta.shared,
                "arguments": [], "triton": triton.__version__,
                "metadata": {k: str(v) for k, v in meta._asdict().items()},
            }
            for a in args:
                if isinstance(a, torch.Tensor):
                    description["arguments"].append({"buffer": str(a.dtype), "count": a.numel(), "is_output": a.data_ptr() == out.data_ptr()})
                elif isinstance(a, TensorDescriptor):
                    description["arguments"].append({"tensor": list(a.shape), "strides": list(a.strides), "block": list(a.block_shape), "dtype": str(a.base.dtype), "is_output": a.base.data_ptr() == out.data_ptr()})
                else:
                    description["arguments"].append(a)
            flat = out.flatten().float().cpu()
            step = max(1, flat.numel() // 1000) | 1
            description["expected_step"] = step
            description["expected"] = [float("%.7g" % v) for v in flat[::step].tolist()]
            description["sum"] = float(flat.double().sum())
            with open(f"{folder}/{name}.ptx", "w") as f:
                f.write(compiled.asm["ptx"])
            with open(f"{folder}/{name}.json", "w") as f:
                json.dump(description, f)
            print(name, "ok", meta.name, meta.shared, warps, flush=True)
        except Exception as e:
            print(name, "FAILED", repr(e)[:400], flush=True)


main(sys.argv[1])
