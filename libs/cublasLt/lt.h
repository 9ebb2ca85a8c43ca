/* What the files of libcublasLt share: descriptions, and the product that they describe. */
#ifndef SLUICE_LIBS_LT_H
#define SLUICE_LIBS_LT_H

#include <cublasLt.h>

struct cublasLtContext {
	int unused;
};

struct cublasLtMatmulDescOpaque {
	int32_t compute, scale, pointer_mode, transa, transb, transc, fill, bias_type, aux_type;
	uint32_t epilogue;
	void *bias, *aux;
	int64_t bias_stride, aux_ld, aux_stride;
	void *scales[6]; /* of eight-bit floats: refused when they are set */
};

struct cublasLtMatrixLayoutOpaque {
	uint32_t type;
	int32_t order;
	uint64_t rows, columns;
	int64_t ld;
	int32_t batches;
	int64_t stride;
};

struct cublasLtMatmulPreferenceOpaque {
	uint64_t workspace_bytes;
};

/* A matrix in memory: element (i, j) of batch z lies at i * row + j * column + z * stride. */
struct matrix {
	void *at;
	int type;
	long long row, column, stride;
};

/* Everything that a kernel must know of a product. */
struct product {
	int m, n, k, batches;
	matrix a, b, c, d; /* a is m x k and b k x n: turned already */
	double alpha, beta;
	const void *alpha_at, *beta_at; /* on the device, of type `scale`; NULL: the values above */
	int scale;
	bool alpha_is_vector; /* one per row of d */
	bool has_c;
	unsigned epilogue;
	void *bias;
	int bias_type;
	long long bias_stride;
	matrix aux;
	bool aux_is_mask; /* bits along the columns */
};

/* matmul.cu */
cublasStatus_t product_run(const product &p, cudaStream_t stream);

#endif
