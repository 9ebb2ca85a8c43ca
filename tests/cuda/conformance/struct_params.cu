/* Parameters by value: structs with padding, arrays inside, nested, many of them, indexed at run time, mixed sizes. */
#include "check.h"

enum { N = 64 };

struct small {
	char c;
	short s;
};
struct nested {
	struct small a, b;
	double d;
	int list[12];
	float3 v;
};
struct __align__(16) aligned
{
	float4 row[2];
	long long tail;
};

__global__ void run(double *out, char c, struct small s, short h, struct nested n, bool flag,
                    struct aligned a, unsigned char last, int4 vector)
{
	int i = threadIdx.x;
	const struct small *pair = i & 1 ? &n.b : &n.a;
	double r = c + s.c * 2 + s.s * 3 + h * 4 + pair->c * 5 + pair->s * 6 + n.d + n.list[i % 12] + n.v.y;
	r += flag ? 1000 : 0;
	r += (i & 1 ? a.row[1].w : a.row[0].x) + (double)a.tail + last;
	r += vector.x + vector.y * 2 + vector.z * 3 + vector.w * 4;
	n.list[i % 12] = i;
	for (int k = 0; k < 12; k++)
		r += n.list[k] * (k + 1);
	out[i] = r;
}

int main(void)
{
	static double want[N];
	struct small s = {3, -400};
	struct nested n = {{1, 2}, {-3, 4}, 0.25, {5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 11, 10}, {1.5f, 2.5f, 3.5f}};
	struct aligned a;
	a.row[0] = make_float4(1, 2, 3, 4);
	a.row[1] = make_float4(5, 6, 7, 8);
	a.tail = 1LL << 40;
	for (int i = 0; i < N; i++) {
		const struct small *pair = i & 1 ? &n.b : &n.a;
		double r = -7 + s.c * 2 + s.s * 3 + 300 * 4 + pair->c * 5 + pair->s * 6 + n.d +
		           n.list[i % 12] + n.v.y;
		r += 1000;
		r += (i & 1 ? 8.0f : 1.0f) + (double)a.tail + 250;
		r += 1 + 2 * 2 + 3 * 3 + 4 * 4;
		for (int k = 0; k < 12; k++)
			r += (k == i % 12 ? i : n.list[k]) * (k + 1);
		want[i] = r;
	}
	check_run("parameters by value", want, [&](double *out) {
		run<<<1, N>>>(out, -7, s, 300, n, true, a, 250, make_int4(1, 2, 3, 4));
	});
	return check_finish("struct_params");
}
