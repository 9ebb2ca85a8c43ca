/* wmma::mma_sync and bmma_sync, in the namespace of mma.h, which alone includes this. */

/* The text of a product: %0 ... of D, A, B, C, one behind the other. */
#define SLUICE_TEXT_8882                                                                                     \
	"{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                       \
	"{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27,%28,%29,%30,%31}"
#define SLUICE_TEXT_4884                                                                                     \
	"{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, {%20,%21,%22,%23}"
#define SLUICE_TEXT_8884                                                                                     \
	"{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                       \
	"{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27}"
#define SLUICE_TEXT_4888                                                                                     \
	"{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, "                    \
	"{%20,%21,%22,%23,%24,%25,%26,%27}"
#define SLUICE_TEXT_844                                                                                      \
	"{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}"
#define SLUICE_TEXT_882                                                                                      \
	"{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17}, "                            \
	"{%18,%19,%20,%21,%22,%23,%24,%25}"
#define SLUICE_TEXT_828                                                                                      \
	"{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13,%14,%15,%16,%17}, "                            \
	"{%18,%19,%20,%21,%22,%23,%24,%25}"
#define SLUICE_TEXT_822 "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}"
#define SLUICE_TEXT_841 "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12}, {%13,%14,%15,%16,%17,%18,%19,%20}"
#define SLUICE_TEXT_814 "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8}, {%9,%10,%11,%12}, {%13,%14,%15,%16,%17,%18,%19,%20}"
#define SLUICE_TEXT_211 "{%0,%1}, {%2}, {%3}, {%4,%5}"

/* One product of one pair of layouts: letters and words of sums (D, C) and factors. */
#define SLUICE_PRODUCT_OF(M, N, K, A, B, D, C, la, lb, op, types, text, wd, cd, td, wa, wb, ca, ta, wc, cc,  \
                          tc)                                                                                \
	SLUICE_WMMA void mma_sync(                                                                           \
	    fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, la##_major> &a,       \
	    const fragment<matrix_b, M, N, K, B, lb##_major> &b, const fragment<accumulator, M, N, K, C> &c) \
	{                                                                                                    \
		td *rd = reinterpret_cast<td *>(d.x);                                                        \
		const ta *ra = reinterpret_cast<const ta *>(a.x), *rb = reinterpret_cast<const ta *>(b.x);   \
		const tc *rc = reinterpret_cast<const tc *>(c.x);                                            \
		asm volatile("wmma.mma.sync.aligned." #la "." #lb ".m" #M "n" #N "k" #K op types " " text    \
		             ";"                                                                             \
		             : SLUICE_OUT##wd(cd, rd)                                                        \
		             : SLUICE_IN##wa(ca, ra), SLUICE_IN##wb(ca, rb), SLUICE_IN##wc(cc, rc));         \
	}
#define SLUICE_PRODUCT(M, N, K, A, B, D, C, ...)                                                             \
	SLUICE_PRODUCT_OF(M, N, K, A, B, D, C, row, row, "", __VA_ARGS__)                                    \
	SLUICE_PRODUCT_OF(M, N, K, A, B, D, C, row, col, "", __VA_ARGS__)                                    \
	SLUICE_PRODUCT_OF(M, N, K, A, B, D, C, col, row, "", __VA_ARGS__)                                    \
	SLUICE_PRODUCT_OF(M, N, K, A, B, D, C, col, col, "", __VA_ARGS__)

#define SLUICE_HALF_PRODUCTS(M, N, K, ...)                                                                   \
	SLUICE_PRODUCT(M, N, K, __half, __half, float, float, ".f32.f32", SLUICE_TEXT_8882, 8, "f", float,   \
	               8, 8, "r", sluice_word, 8, "f", float)                                                \
	SLUICE_PRODUCT(M, N, K, __half, __half, __half, __half, ".f16.f16", SLUICE_TEXT_4884, 4, "r",        \
	               sluice_word, 8, 8, "r", sluice_word, 4, "r", sluice_word)                             \
	SLUICE_PRODUCT(M, N, K, __half, __half, float, __half, ".f32.f16", SLUICE_TEXT_8884, 8, "f", float,  \
	               8, 8, "r", sluice_word, 4, "r", sluice_word)                                          \
	SLUICE_PRODUCT(M, N, K, __half, __half, __half, float, ".f16.f32", SLUICE_TEXT_4888, 4, "r",         \
	               sluice_word, 8, 8, "r", sluice_word, 8, "f", float)
SLUICE_SHAPES(SLUICE_HALF_PRODUCTS)

#define SLUICE_BF16_PRODUCT(M, N, K, wa, wb, text)                                                           \
	SLUICE_PRODUCT(M, N, K, __nv_bfloat16, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", text, 8,   \
	               "f", float, wa, wb, "r", sluice_word, 8, "f", float)
SLUICE_BF16_PRODUCT(16, 16, 16, 4, 4, SLUICE_TEXT_844)
SLUICE_BF16_PRODUCT(32, 8, 16, 8, 2, SLUICE_TEXT_882)
SLUICE_BF16_PRODUCT(8, 32, 16, 2, 8, SLUICE_TEXT_828)
SLUICE_PRODUCT(16, 16, 8, precision::tf32, precision::tf32, float, float, ".f32.tf32.tf32.f32",
               SLUICE_TEXT_844, 8, "f", float, 4, 4, "r", sluice_word, 8, "f", float)
SLUICE_PRODUCT(8, 8, 4, double, double, double, double, ".f64.f64.f64.f64", SLUICE_TEXT_211, 2, "d", double,
               1, 1, "d", double, 2, "d", double)

#define SLUICE_BYTE_PRODUCT(M, N, K, T, ptx, wa, wb, text)                                                   \
	SLUICE_PRODUCT(M, N, K, T, T, int, int, ".s32." ptx "." ptx ".s32", text, 8, "r", int, wa, wb, "r",  \
	               sluice_word, 8, "r", int)
#define SLUICE_BYTE_PRODUCTS(T, ptx)                                                                         \
	SLUICE_BYTE_PRODUCT(16, 16, 16, T, ptx, 2, 2, SLUICE_TEXT_822)                                       \
	SLUICE_BYTE_PRODUCT(32, 8, 16, T, ptx, 4, 1, SLUICE_TEXT_841)                                        \
	SLUICE_BYTE_PRODUCT(8, 32, 16, T, ptx, 1, 4, SLUICE_TEXT_814)
SLUICE_BYTE_PRODUCTS(signed char, "s8")
SLUICE_BYTE_PRODUCTS(unsigned char, "u8")

#define SLUICE_PACKED_PRODUCT(T, ptx)                                                                        \
	SLUICE_PRODUCT_OF(8, 8, 32, experimental::precision::T, experimental::precision::T, int, int, row,   \
	                  col, "", ".s32." ptx "." ptx ".s32", SLUICE_TEXT_211, 2, "r", int, 1, 1, "r",      \
	                  sluice_word, 2, "r", int)
SLUICE_PACKED_PRODUCT(s4, "s4")
SLUICE_PACKED_PRODUCT(u4, "u4")

/* Saturating sums of integers. */
template <typename D, typename A, typename B, typename C>
SLUICE_WMMA void mma_sync(D &d, const A &a, const B &b, const C &c, bool saturates)
{
	static_assert(sizeof(D) == 0, "wmma::mma_sync with satf is not supported; leave the argument out");
	(void)d, (void)a, (void)b, (void)c, (void)saturates;
}

SLUICE_WMMA void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                           const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                           const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                           const fragment<accumulator, 8, 8, 128, int> &c,
                           experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                           experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
#define SLUICE_BITS(word)                                                                                    \
	asm volatile("wmma.mma." word ".popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 " SLUICE_TEXT_211   \
	             ";"                                                                                     \
	             : "=r"(d.x[0]), "=r"(d.x[1])                                                            \
	             : "r"(a.x[0]), "r"(b.x[0]), "r"(c.x[0]), "r"(c.x[1]))
	if (op == experimental::bmmaBitOpXOR)
		SLUICE_BITS("xor");
	else
		SLUICE_BITS("and");
#undef SLUICE_BITS
}
