/* Extended precision: add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi make 128-bit arithmetic. */
#include "check.h"

enum { N = 1024 };
typedef unsigned long long u64;

struct wide {
	u64 sum_low, sum_high, difference_low, difference_high, product_low, product_high;
	unsigned sum32, carry32;
};

__global__ void compute(struct wide *out, const u64 *a, const u64 *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	u64 al = a[2 * i], ah = a[2 * i + 1], bl = b[2 * i], bh = b[2 * i + 1];
	struct wide r;
	asm("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;"
	    : "=l"(r.sum_low), "=l"(r.sum_high)
	    : "l"(al), "l"(ah), "l"(bl), "l"(bh));
	asm("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;"
	    : "=l"(r.difference_low), "=l"(r.difference_high)
	    : "l"(al), "l"(ah), "l"(bl), "l"(bh));
	unsigned x0 = (unsigned)al, x1 = (unsigned)(al >> 32), y0 = (unsigned)bl, y1 = (unsigned)(bl >> 32);
	unsigned r0, r1, r2, r3;
	asm("mul.lo.u32 %0, %4, %6;\n\t"
	    "mul.hi.u32 %1, %4, %6;\n\t"
	    "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
	    "madc.hi.u32 %2, %5, %6, 0;\n\t"
	    "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
	    "madc.hi.cc.u32 %2, %4, %7, %2;\n\t"
	    "addc.u32 %3, 0, 0;\n\t"
	    "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
	    "madc.hi.u32 %3, %5, %7, %3;"
	    : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
	    : "r"(x0), "r"(x1), "r"(y0), "r"(y1));
	r.product_low = (u64)r1 << 32 | r0;
	r.product_high = (u64)r3 << 32 | r2;
	asm("add.cc.u32 %0, %2, %3; addc.cc.u32 %1, %2, %2; addc.u32 %1, %1, 0;"
	    : "=&r"(r.sum32), "=&r"(r.carry32)
	    : "r"(x1), "r"(y1));
	out[i] = r;
}

int main(void)
{
	static u64 a[2 * N], b[2 * N];
	static struct wide want[N];
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < 2; k++)
			a[2 * i + k] = check_integer(i + k), b[2 * i + k] = check_integer(N - i + k);
		unsigned __int128 x = (unsigned __int128)a[2 * i + 1] << 64 | a[2 * i];
		unsigned __int128 y = (unsigned __int128)b[2 * i + 1] << 64 | b[2 * i];
		unsigned __int128 sum = x + y, difference = x - y;
		unsigned __int128 product = (unsigned __int128)a[2 * i] * b[2 * i];
		want[i].sum_low = (u64)sum, want[i].sum_high = (u64)(sum >> 64);
		want[i].difference_low = (u64)difference, want[i].difference_high = (u64)(difference >> 64);
		want[i].product_low = (u64)product, want[i].product_high = (u64)(product >> 64);
		u64 x1 = a[2 * i] >> 32, y1 = b[2 * i] >> 32;
		u64 first = x1 + y1, second = x1 + x1 + (first >> 32);
		want[i].sum32 = (unsigned)first;
		want[i].carry32 = (unsigned)second + (unsigned)(second >> 32);
	}
	check_run("add.cc addc sub.cc subc mad.cc madc", want,
	          [&](struct wide *out) { compute<<<N / 64, 64>>>(out, to_device(a), to_device(b)); });
	return check_finish("carry");
}
