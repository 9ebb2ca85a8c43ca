/* Descriptions: made, filled attribute by attribute, checked together, and turned into a product. */
#include <string.h>

#include "lt.h"

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
	if (!handle)
		return CUBLAS_STATUS_INVALID_VALUE;
	*handle = new cublasLtContext();
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
	delete handle;
	return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

size_t cublasLtGetVersion(void)
{
	return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void)
{
	return CUDART_VERSION;
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
	switch (status) {
#define X(name)                                                                                                        \
	case name:                                                                                                     \
		return #name;
		X(CUBLAS_STATUS_SUCCESS)
		X(CUBLAS_STATUS_NOT_INITIALIZED)
		X(CUBLAS_STATUS_ALLOC_FAILED)
		X(CUBLAS_STATUS_INVALID_VALUE)
		X(CUBLAS_STATUS_ARCH_MISMATCH)
		X(CUBLAS_STATUS_MAPPING_ERROR)
		X(CUBLAS_STATUS_EXECUTION_FAILED)
		X(CUBLAS_STATUS_INTERNAL_ERROR)
		X(CUBLAS_STATUS_NOT_SUPPORTED)
		X(CUBLAS_STATUS_LICENSE_ERROR)
#undef X
	}
	return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
	return cublasLtGetStatusName(status);
}

/* ---- attributes: a place and a size each ------------------------------------------------------------------------ */

struct attribute {
	int which;
	size_t offset, bytes;
};

#define AT(which, type, field)                                                                                         \
	{                                                                                                              \
		which, offsetof(type, field), sizeof(((type *)0)->field)                                               \
	}
static const attribute of_matmul[] = {
    AT(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, cublasLtMatmulDescOpaque, compute),
    AT(CUBLASLT_MATMUL_DESC_SCALE_TYPE, cublasLtMatmulDescOpaque, scale),
    AT(CUBLASLT_MATMUL_DESC_POINTER_MODE, cublasLtMatmulDescOpaque, pointer_mode),
    AT(CUBLASLT_MATMUL_DESC_TRANSA, cublasLtMatmulDescOpaque, transa),
    AT(CUBLASLT_MATMUL_DESC_TRANSB, cublasLtMatmulDescOpaque, transb),
    AT(CUBLASLT_MATMUL_DESC_TRANSC, cublasLtMatmulDescOpaque, transc),
    AT(CUBLASLT_MATMUL_DESC_FILL_MODE, cublasLtMatmulDescOpaque, fill),
    AT(CUBLASLT_MATMUL_DESC_EPILOGUE, cublasLtMatmulDescOpaque, epilogue),
    AT(CUBLASLT_MATMUL_DESC_BIAS_POINTER, cublasLtMatmulDescOpaque, bias),
    AT(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, cublasLtMatmulDescOpaque, bias_stride),
    AT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, cublasLtMatmulDescOpaque, aux),
    AT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, cublasLtMatmulDescOpaque, aux_ld),
    AT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, cublasLtMatmulDescOpaque, aux_stride),
    AT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, cublasLtMatmulDescOpaque, aux_type),
    AT(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, cublasLtMatmulDescOpaque, bias_type),
    AT(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, cublasLtMatmulDescOpaque, scales[0]),
    AT(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, cublasLtMatmulDescOpaque, scales[1]),
    AT(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, cublasLtMatmulDescOpaque, scales[2]),
    AT(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, cublasLtMatmulDescOpaque, scales[3]),
    AT(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, cublasLtMatmulDescOpaque, scales[4]),
};
static const attribute of_layout[] = {
    AT(CUBLASLT_MATRIX_LAYOUT_TYPE, cublasLtMatrixLayoutOpaque, type),
    AT(CUBLASLT_MATRIX_LAYOUT_ORDER, cublasLtMatrixLayoutOpaque, order),
    AT(CUBLASLT_MATRIX_LAYOUT_ROWS, cublasLtMatrixLayoutOpaque, rows),
    AT(CUBLASLT_MATRIX_LAYOUT_COLS, cublasLtMatrixLayoutOpaque, columns),
    AT(CUBLASLT_MATRIX_LAYOUT_LD, cublasLtMatrixLayoutOpaque, ld),
    AT(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, cublasLtMatrixLayoutOpaque, batches),
    AT(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, cublasLtMatrixLayoutOpaque, stride),
};

template <size_t N> static const attribute *find(const attribute (&table)[N], int which)
{
	for (const attribute &a : table)
		if (a.which == which)
			return &a;
	return nullptr;
}

static cublasStatus_t set(void *object, const attribute *a, const void *value, size_t bytes)
{
	if (!object || !a || !value || bytes != a->bytes)
		return CUBLAS_STATUS_INVALID_VALUE;
	memcpy((char *)object + a->offset, value, bytes);
	return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get(const void *object, const attribute *a, void *value, size_t bytes, size_t *written)
{
	if (!object || !a || (bytes && (!value || bytes != a->bytes)) || (!bytes && !written))
		return CUBLAS_STATUS_INVALID_VALUE;
	if (bytes)
		memcpy(value, (const char *)object + a->offset, bytes);
	if (written)
		*written = a->bytes;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute, cudaDataType_t scale)
{
	if (!desc)
		return CUBLAS_STATUS_INVALID_VALUE;
	*desc = new cublasLtMatmulDescOpaque();
	(*desc)->compute = compute;
	(*desc)->scale = scale;
	(*desc)->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
	(*desc)->fill = CUBLAS_FILL_MODE_FULL;
	(*desc)->bias_type = (*desc)->aux_type = -1;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
	delete desc;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              const void *value, size_t bytes)
{
	/* How fast it is computed, and on how many SMs: there is one way. */
	if (which == CUBLASLT_MATMUL_DESC_FAST_ACCUM || which == CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET)
		return desc && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
	return set(desc, find(of_matmul, which), value, bytes);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              void *value, size_t bytes, size_t *written)
{
	return get(desc, find(of_matmul, which), value, bytes, written);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld)
{
	if (!layout)
		return CUBLAS_STATUS_INVALID_VALUE;
	*layout = new cublasLtMatrixLayoutOpaque();
	(*layout)->type = type;
	(*layout)->rows = rows;
	(*layout)->columns = columns;
	(*layout)->ld = ld;
	(*layout)->batches = 1;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
	delete layout;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                const void *value, size_t bytes)
{
	return set(layout, find(of_layout, which), value, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                void *value, size_t bytes, size_t *written)
{
	return get(layout, find(of_layout, which), value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
	if (!preference)
		return CUBLAS_STATUS_INVALID_VALUE;
	*preference = new cublasLtMatmulPreferenceOpaque();
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
	delete preference;
	return CUBLAS_STATUS_SUCCESS;
}

/* The one algorithm needs neither workspace nor alignment: what is preferred changes nothing. */
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which, const void *value,
                                                    size_t bytes)
{
	if (!preference || !value)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) {
		if (bytes != sizeof preference->workspace_bytes)
			return CUBLAS_STATUS_INVALID_VALUE;
		memcpy(&preference->workspace_bytes, value, bytes);
	}
	return CUBLAS_STATUS_SUCCESS;
}

/* ---- from descriptions to a product ------------------------------------------------------------------------------ */

static bool is_half(int type)
{
	return type == CUDA_R_16F || type == CUDA_R_16BF;
}

static bool types_go_together(int a, int b, int c, int d)
{
	if (a != b || c != d)
		return false;
	return a == CUDA_R_64F   ? d == CUDA_R_64F
	       : a == CUDA_R_32F ? d == CUDA_R_32F
	       : is_half(a)      ? d == a || d == CUDA_R_32F
	       : a == CUDA_R_8I  ? d == CUDA_R_32I || d == CUDA_R_8I || d == CUDA_R_32F
	                         : false;
}

static bool is_epilogue(unsigned e)
{
	static const unsigned known[] = {
	    CUBLASLT_EPILOGUE_DEFAULT,       CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_RELU_AUX,
	    CUBLASLT_EPILOGUE_BIAS,          CUBLASLT_EPILOGUE_RELU_BIAS,     CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
	    CUBLASLT_EPILOGUE_DRELU,         CUBLASLT_EPILOGUE_DRELU_BGRAD,   CUBLASLT_EPILOGUE_GELU,
	    CUBLASLT_EPILOGUE_GELU_AUX,      CUBLASLT_EPILOGUE_GELU_BIAS,     CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
	    CUBLASLT_EPILOGUE_DGELU,         CUBLASLT_EPILOGUE_DGELU_BGRAD,   CUBLASLT_EPILOGUE_BGRADA,
	    CUBLASLT_EPILOGUE_BGRADB};
	for (unsigned k : known)
		if (k == e)
			return true;
	return false;
}

static bool is_layout(const cublasLtMatrixLayoutOpaque *l)
{
	uint64_t line = l->order == CUBLASLT_ORDER_ROW ? l->columns : l->rows;
	return (l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW) && l->rows <= INT32_MAX &&
	       l->columns <= INT32_MAX && l->ld >= 0 && (uint64_t)l->ld >= line && l->batches > 0;
}

static matrix matrix_of(const cublasLtMatrixLayoutOpaque *l, const void *at, bool is_turned)
{
	bool by_rows = (l->order == CUBLASLT_ORDER_ROW) != is_turned;
	matrix x = {const_cast<void *>(at), (int)l->type, by_rows ? l->ld : 1, by_rows ? 1 : l->ld, l->stride};
	return x;
}

static cublasStatus_t describe(product &p, const cublasLtMatmulDescOpaque *o, const cublasLtMatrixLayoutOpaque *a,
                               const cublasLtMatrixLayoutOpaque *b, const cublasLtMatrixLayoutOpaque *c,
                               const cublasLtMatrixLayoutOpaque *d)
{
	memset(&p, 0, sizeof p);
	if (!o || !a || !b || !c || !d)
		return CUBLAS_STATUS_INVALID_VALUE;
	bool turns_a = o->transa != CUBLAS_OP_N, turns_b = o->transb != CUBLAS_OP_N;
	uint64_t m = turns_a ? a->columns : a->rows, k = turns_a ? a->rows : a->columns;
	uint64_t k_of_b = turns_b ? b->columns : b->rows, n = turns_b ? b->rows : b->columns;
	if (!is_layout(a) || !is_layout(b) || !is_layout(c) || !is_layout(d) || k != k_of_b || d->rows != m ||
	    d->columns != n || c->rows != m || c->columns != n || a->batches != d->batches || b->batches != d->batches ||
	    c->batches != d->batches)
		return CUBLAS_STATUS_INVALID_VALUE;
	for (void *scale : o->scales)
		if (scale)
			return CUBLAS_STATUS_NOT_SUPPORTED;
	if (!types_go_together(a->type, b->type, c->type, d->type) || !is_epilogue(o->epilogue) ||
	    o->transc != CUBLAS_OP_N || o->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR ||
	    (o->epilogue != CUBLASLT_EPILOGUE_DEFAULT && o->epilogue & 128 && d->order != CUBLASLT_ORDER_COL))
		return CUBLAS_STATUS_NOT_SUPPORTED;
	p.m = (int)m, p.n = (int)n, p.k = (int)k, p.batches = d->batches;
	p.a = matrix_of(a, nullptr, turns_a);
	p.b = matrix_of(b, nullptr, turns_b);
	p.c = matrix_of(c, nullptr, false);
	p.d = matrix_of(d, nullptr, false);
	p.scale = o->scale;
	p.epilogue = o->epilogue == CUBLASLT_EPILOGUE_DEFAULT ? 0 : o->epilogue;
	p.bias = o->bias;
	p.bias_type = o->bias_type >= 0 ? o->bias_type : (int)d->type;
	p.bias_stride = o->bias_stride;
	p.aux_is_mask = p.epilogue & 128 && p.epilogue & (CUBLASLT_EPILOGUE_RELU | 8);
	p.aux.at = p.epilogue & 128 ? o->aux : nullptr;
	p.aux.type = o->aux_type >= 0 ? o->aux_type : (int)d->type;
	p.aux.row = 1, p.aux.column = o->aux_ld, p.aux.stride = o->aux_stride;
	return CUBLAS_STATUS_SUCCESS;
}

/* What an epilogue reads or writes besides must be there. */
static bool has_places(const product &p)
{
	bool needs_bias = p.epilogue & (CUBLASLT_EPILOGUE_BIAS | 16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB);
	bool needs_aux = p.epilogue & 128;
	return (!needs_bias || p.bias) && (!needs_aux || (p.aux.at && p.aux.column >= p.m)) &&
	       (!p.aux_is_mask || p.aux.column % 128 == 0);
}

/* ---- heuristics and the call ------------------------------------------------------------------------------------- */

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result)
{
	product p;
	if (!handle || !algo || !result)
		return handle ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
	memset(result, 0, sizeof *result);
	result->algo = *algo;
	result->wavesCount = 1;
	return result->state = describe(p, desc, a, b, c, d);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t *results, int *returned)
{
	const cublasLtMatmulAlgo_t only = {{1}};
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!preference || !results || !returned || requested < 1)
		return CUBLAS_STATUS_INVALID_VALUE;
	*returned = 0;
	cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, desc, a, b, c, d, &only, results);
	*returned = status == CUBLAS_STATUS_SUCCESS;
	return status;
}

/* alpha or beta on the host, in the type that scales have. */
static double host_value(const void *at, int type)
{
	switch (type) {
	case CUDA_R_64F:
		return *(const double *)at;
	case CUDA_R_16F:
		return __half2float(*(const __half *)at);
	case CUDA_R_32I:
		return *(const int *)at;
	default:
		return *(const float *)at;
	}
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *A,
                              cublasLtMatrixLayout_t a, const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspace_bytes,
                              cudaStream_t stream)
{
	(void)algo, (void)workspace, (void)workspace_bytes;
	product p;
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	cublasStatus_t status = describe(p, desc, a, b, c, d);
	if (status != CUBLAS_STATUS_SUCCESS)
		return status;
	if (!alpha || !A || !B || !D || !has_places(p))
		return CUBLAS_STATUS_INVALID_VALUE;
	bool on_device = desc->pointer_mode != CUBLASLT_POINTER_MODE_HOST;
	bool is_vector = desc->pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO ||
	                 desc->pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
	bool has_beta = desc->pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO && beta;
	bool beta_on_device = desc->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
	p.alpha_is_vector = is_vector;
	if (on_device)
		p.alpha_at = alpha;
	else
		p.alpha = host_value(alpha, p.scale);
	if (has_beta && beta_on_device)
		p.beta_at = beta;
	else if (has_beta)
		p.beta = host_value(beta, p.scale);
	p.has_c = C && has_beta && (beta_on_device || p.beta != 0);
	p.a.at = const_cast<void *>(A), p.b.at = const_cast<void *>(B), p.c.at = const_cast<void *>(C), p.d.at = D;
	return product_run(p, stream);
}
