/* Sources rewritten for clang: launches with spaces, percent signs of registers, launches in device code. */
#include "cc/rewrite.h"

#include "base/memory.h"
#include "test.h"

/* Whether a source becomes another; NULL: it stays. */
static bool becomes(const char *source, const char *want)
{
	char *text = memory_text(source);
	bool changed = cc_rewrite(&text),
	     same = changed == (want != NULL) && !strcmp(text, want ? want : source);
	if (!same)
		printf("# %s became: %s\n", source, text);
	free(text);
	return same;
}

TEST(sources_are_rewritten_where_clang_differs)
{
	static const char *const rows[][2] = {
	    {"k<<<1, 2>>>();", NULL},
	    {"k << < 1, 2 >> > ();", "k  <<< 1, 2 >>>  ();"},
	    {"k< <\n<1, 2> > >();", "k \n<<<1, 2>>>  ();"},
	    {"a<b<c<d> > > x;", NULL},
	    {"// k << < 1 >> > ()\n", NULL},
	    {"asm(\"mov.u32 %0, %smid;\" : \"=r\"(x));", "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x));"},
	    {"asm volatile(\"mov.u32 %0, %%smid;\" : \"=r\"(x));", NULL},
	    {"asm(\"mov %0, %r1;\" :: \"r\"(x));", NULL},
	    {"printf(\"%smid\");", NULL},
	    {"__shared__ alignas(16) float a[4]; extern __shared__\nalignas(8) char b[];",
	     "__shared__ __align__(16) float a[4]; extern __shared__\n__align__(8) char b[];"},
	    {"alignas(16) __shared__ float a[4]; /* __shared__ alignas(8) */", NULL},
	    {"void h() { k<<<1, 2>>>(); }", NULL},
	    {"__global__ void p() { k<<<1, 2>>>(3); }",
	     "__global__ void p() { sluice_launch<decltype(k), &k>(1, 2)(3); }"},
	    {"__device__ void p() { n::k<int><<<f(1), 2>>>(3); x(); k <<<1, 1>>>(); }",
	     "__device__ void p() { sluice_launch<decltype(n::k<int>), &n::k<int>>(f(1), 2)(3); x(); "
	     "sluice_launch<decltype(k ), &k >(1, 1)(); }"},
	    {"__host__ __device__ void p() { k<<<1, 2>>>(3); }\nint x;",
	     "__host__ __device__ void p() { SLUICE_LAUNCH_EITHER((k), (1, 2))(3); }\nint x;"},
	    {"__device__ int v = 1; void h() { k<<<1, 2>>>(); }", NULL},
	    {"__global__ void p() { /* k<<<1>>> */ \"k<<<1>>>\"; }", NULL},
	};
	bool ok = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok &= becomes(rows[i][0], rows[i][1]);
	CHECK(ok);
}

TEST_RUN_ALL(true)
