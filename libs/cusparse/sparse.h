/* What the files of libcusparse share: handle, matrices and vectors. */
#ifndef SLUICE_LIBS_SPARSE_H
#define SLUICE_LIBS_SPARSE_H

#include <cusparse.h>

struct cusparseContext {
	cudaStream_t stream;
	cusparsePointerMode_t pointer_mode;
};

struct cusparseMatDescr {
	cusparseMatrixType_t type;
	cusparseIndexBase_t base;
};

struct cusparseSpMatDescr {
	cusparseFormat_t format;
	int64_t rows, columns, nonzeros;
	void *lines;   /* offsets of the rows (CSR) or columns (CSC), or row of each element (COO) */
	void *indexes; /* along the line, of each element */
	void *values;
	cusparseIndexType_t line_type, index_type;
	cusparseIndexBase_t base;
	cudaDataType type;
};

struct cusparseDnVecDescr {
	int64_t size;
	void *values;
	cudaDataType type;
};

struct cusparseDnMatDescr {
	int64_t rows, columns, ld;
	void *values;
	cudaDataType type;
	cusparseOrder_t order;
};

#endif
