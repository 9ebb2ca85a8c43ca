/*
 * Smaller things of PTX 7 and 8: redux, elect, fences, griddepcontrol, policies and hints of caches, conversions to
 * tf32 and 8-bit floats, video instructions.
 */
#include "op.h"

static uint32_t bits_of_float(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static uint32_t to_tf32(float f)
{
	uint32_t bits = bits_of_float(f), magnitude = bits & 0x7fffffff;
	return magnitude >= 0x7f800000 ? bits & ~0x1fffu
	                               : (bits & 0x80000000) | ((magnitude + 0x1000) & ~0x1fffu);
}

/* The nearest of all 127 magnitudes, even ones in doubt. */
static uint32_t to_byte(float f, bool is_e5m2)
{
	if (f != f)
		return 0x7f;
	double m = fabs((double)f), best = 1e300, largest = is_e5m2 ? 57344 : 448;
	uint32_t sign = bits_of_float(f) >> 24 & 0x80, code = 0;
	if (m > largest)
		m = largest;
	for (uint32_t c = 0; c <= (is_e5m2 ? 0x7bu : 0x7eu); c++) {
		int shift = is_e5m2 ? 2 : 3, field = (int)(c >> shift),
		    fraction = (int)c & ((1 << shift) - 1);
		double v = ldexp((double)(field ? fraction + (1 << shift) : fraction),
		                 (field ? field : 1) - (is_e5m2 ? 15 : 7) - shift);
		double distance = fabs(v - m);
		if (distance < best || (distance == best && c % 2 == 0)) {
			best = distance;
			code = c;
		}
	}
	return sign | code;
}

static uint32_t by_parts(uint32_t a, uint32_t b, uint32_t c, int bits, int what)
{
	uint32_t word = 0, sum = c;
	for (int i = 0; i < 32; i += bits) {
		uint32_t mask = (1u << bits) - 1;
		int64_t x = a >> i & mask, y = b >> i & mask, r = 0;
		if (what == 0)
			r = x < y ? y - x : x - y;
		else if (what == 1)
			r = x + y > (int64_t)mask ? mask : x + y;
		else if (what == 2)
			r = (x + y + 1) >> 1;
		else
			r = x < y ? x : y;
		word |= (uint32_t)(r & mask) << i;
		sum += (uint32_t)r;
	}
	return what == 0 ? sum : word;
}

OP(tf32_rna, r, f, f, f, "cvt.rna.tf32.f32 %0, %1;", to_tf32(a))
OP(e4m3x2, h, f, f, f, "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", to_byte(a, false) << 8 | to_byte(b, false))
OP(e5m2x2, h, f, f, f, "cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", to_byte(a, true) << 8 | to_byte(b, true))
OP_SAME(vabsdiff4_add, r, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", by_parts(a, b, c, 8, 0))
OP_SAME(vadd4_sat, r, "vadd4.u32.u32.u32.sat %0, %1, %2, %3;", by_parts(a, b, c, 8, 1))
OP_SAME(vavrg2, r, "vavrg2.u32.u32.u32 %0, %1, %2, %3;", by_parts(a, b, c, 16, 2))
OP_SAME(vmin4, r, "vmin4.u32.u32.u32 %0, %1, %2, %3;", by_parts(a, b, c, 8, 3))

__global__ void warps(const uint32_t *in, uint32_t *out)
{
	uint32_t t = threadIdx.x, v = in[t], r, p, *o = out + t * 6;
	asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
	o[0] = r;
	asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
	o[1] = r;
	asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
	o[2] = r;
	asm volatile("{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(p));
	asm volatile(
	    "fence.acq_rel.cluster; fence.proxy.async; griddepcontrol.wait; griddepcontrol.launch_dependents;" ::
	        : "memory");
	uint64_t policy;
	asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
	asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(r) : "l"(in + (t ^ 1)), "l"(policy));
	asm volatile("st.global.L1::no_allocate.u32 [%0], %1;" ::"l"(o + 3), "r"(r) : "memory");
	o[4] = p;
	asm volatile("ld.global.L1::evict_last.u32 %0, [%1];" : "=r"(r) : "l"(in + (t ^ 3)));
	o[5] = r;
}

int main(void)
{
	uint32_t in[64], want[64][6];
	check_ops();
	for (int i = 0; i < 64; i++)
		in[i] = (uint32_t)check_random();
	for (int t = 0; t < 64; t++) {
		uint32_t sum = 0, xors = 0;
		int32_t most = INT32_MIN;
		for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++) {
			sum += in[i];
			xors ^= in[i];
			most = (int32_t)in[i] > most ? (int32_t)in[i] : most;
		}
		uint32_t row[6] = {sum, (uint32_t)most, xors, in[t ^ 1], t % 32 == 0, in[t ^ 3]};
		memcpy(want[t], row, sizeof row);
	}
	check_run("warps", want, [&](uint32_t *out) { warps<<<1, 64>>>(to_device(in), out); });
	return check_finish("ptx_today");
}
