"""Kernels of PTX text on arrays: sluice.Module."""

import array
import struct
import unittest

import common

import sluice

SCALE = """.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .s32 count)
{
	.reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
	ld.param.u64 %rd1, [data];
	ld.param.f32 %f1, [factor];
	ld.param.s32 %r1, [count];
	mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.s32 %p1, %r5, %r1;
	@%p1 bra DONE;
	mul.wide.s32 %rd2, %r5, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.f32 %f2, [%rd3];
	mul.f32 %f3, %f2, %f1;
	st.global.f32 [%rd3], %f3;
DONE:
	ret;
}
"""
TRITON = common.ROOT / "validation" / "triton"


def halves(count, seed):
    """numbers() of validation/triton/kernels.py, as the bits of half precision."""
    bits = [struct.unpack("<H", struct.pack("<e", byte / 128 - 1))[0] for byte in range(256)]
    places = ((i * 1103515245 + 12345 * (seed + 1) + (i >> 7) * 2654435) % 2147483648 for i in range(count))
    return array.array("H", (bits[(x >> 16) % 256] for x in places))


class ModuleTest(common.Case):
    def test_arrays_hold_what_the_kernel_wrote(self):
        data = array.array("f", range(1000))
        done = sluice.Module(SCALE).kernel("scale")[4, 256](data, 2.0, 999)
        self.assertIsNone(done)
        self.assertEqual(list(data[:999]), [2.0 * i for i in range(999)])
        self.assertEqual(data[999], 999)

    def test_a_launch_can_be_simulated(self):
        data = array.array("f", [1.0] * 512)
        result = sluice.Module(SCALE).kernel()[(2,), (256, 1, 1)](data, 3.0, 512, simulate=True, machine="gtx480-ciao")
        self.assertEqual(set(data), {3.0})
        self.assertEqual(result.launches[0].kernel, "scale")
        self.assertEqual(result.launches[0].grid, (2, 1, 1))
        self.assertGreater(result.cycles, 100)

    def test_a_tensor_is_copied_by_boxes(self):
        size = 512
        a, b = halves(size * size, 7), halves(size * size, 8)
        c = array.array("H", bytes(2 * size * size))
        sizes = (size, size, size, 1)
        boxes = [(128, 64), (64, 64), (128, 64)]
        maps = [sluice.Tensor(x, box, shape=(size, size)) for x, box in zip((a, b, c), boxes)]
        words = [word for one in maps for word in (one, *sizes)]
        sluice.Module(TRITON / "matmul_tma.ptx").kernel("matmul_tma")[(4, 4), 256, 98328](*words, size, None, None)
        rows = {row: struct.unpack(f"<{size}e", a[row * size : (row + 1) * size].tobytes()) for row in (0, 130)}
        for row, column in ((0, 0), (0, 511), (130, 77)):
            values = struct.unpack(f"<{size}e", array.array("H", b[column::size]).tobytes())
            want = sum(x * y for x, y in zip(rows[row], values))
            (got,) = struct.unpack("<e", struct.pack("<H", c[row * size + column]))
            self.assertAlmostEqual(got, want, delta=abs(want) * 2e-3 + 1e-3)

    def test_what_cannot_be_launched_is_refused(self):
        kernel = sluice.Module(SCALE).kernel("scale")
        data = array.array("f", [0.0] * 4)
        with self.assertRaisesRegex(sluice.Error, "2 arguments were given, the kernel has 3 parameters"):
            kernel[1, 32](data, 1.0)
        with self.assertRaisesRegex(sluice.UsageError, "an argument of type str"):
            kernel[1, 32]("data", 1.0, 4)
        with self.assertRaisesRegex(sluice.UsageError, "grid: 0"):
            kernel[0, 32](data, 1.0, 4)
        with self.assertRaisesRegex(sluice.UsageError, "only with simulate=True"):
            kernel[1, 32](data, 1.0, 4, machine="h200")
        with self.assertRaisesRegex(sluice.Error, "unknown opcode 'frobnicate'"):
            sluice.Module(SCALE.replace("mul.f32", "frobnicate")).kernel("scale")[1, 32](data, 1.0, 4)
        with self.assertRaises(sluice.UsageError):
            sluice.Module("no-such-file.ptx")


if __name__ == "__main__":
    unittest.main()
