#include "loader/argument.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------------------- */

/* 512x64 up to `end`; returns how many numbers, 0: something else. */
static uint32_t read_sizes(const char *text, char end, uint64_t size[DIMENSIONS_MAX], const char **behind)
{
	for (uint32_t rank = 0; rank < DIMENSIONS_MAX;) {
		char *next;
		errno = 0;
		size[rank++] = strtoull(text, &next, 10);
		if (next == text || errno || !size[rank - 1] || size[rank - 1] > UINT64_C(1) << 40)
			return 0;
		if (*next == end || (!end && (*next == '/' || !*next))) {
			*behind = next;
			return rank;
		}
		if (*next != 'x')
			return 0;
		text = next + 1;
	}
	return 0;
}

static bool read_box(struct argument *a, const char *text)
{
	uint64_t box[DIMENSIONS_MAX];
	const char *behind;
	if (*text != '/' || read_sizes(text + 1, '\0', box, &behind) != a->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (box[i] > 256)
			return false;
		a->box[i] = (uint32_t)box[i];
	}
	a->swizzle = *behind ? behind + 1 : NULL;
	return true;
}

static bool fail(char problem[PROBLEM_SIZE], const char *word, const char *expected)
{
	snprintf(problem, PROBLEM_SIZE, "argument '%.80s' is not %s", word, expected);
	return false;
}

/* buffer:TYPE[SIZES] or tensor:TYPE[SIZES]/BOX, behind the colon. */
static bool read_shape(struct argument *a, const char *text, bool is_tensor)
{
	const char *bracket = strchr(text, '['), *behind = "";
	a->type = bracket ? value_type_find(text, (size_t)(bracket - text)) : NULL;
	uint32_t rank = a->type ? read_sizes(bracket + 1, ']', a->size, &behind) : 0;
	a->rank = is_tensor ? rank : 0;
	a->count = rank ? 1 : 0;
	for (uint32_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(a->count, a->size[i], &a->count) || a->count > UINT64_C(1) << 38)
			return false;
	return rank && (is_tensor ? read_box(a, behind + 1) : !behind[1]);
}

static bool read_buffer(struct argument *a, char *word, bool is_tensor, char problem[PROBLEM_SIZE])
{
	char *init = strchr(word, '=');
	if (init)
		*init++ = '\0';
	if (!read_shape(a, strchr(word, ':') + 1, is_tensor))
		return fail(problem, word,
		            is_tensor ? "tensor:TYPE[ROWSxCOLUMNS]/BOX_ROWSxBOX_COLUMNS[/SWIZZLE][=INIT]"
		                      : "buffer:TYPE[COUNT][=INIT]");
	a->bytes = a->count * a->type->bytes;
	a->host = malloc(a->bytes);
	if (!a->host) {
		snprintf(problem, PROBLEM_SIZE, "argument '%.80s': out of memory", word);
		return false;
	}
	if (values_fill(a->type, a->count, init ? init : "zero", a->host, problem))
		return true;
	free(a->host);
	a->host = NULL;
	return false;
}

bool argument_read(struct argument *a, char *word, char problem[PROBLEM_SIZE])
{
	const char *colon = strchr(word, ':');
	*a = (struct argument){.type = NULL};
	if (!strcmp(word, "null"))
		return true;
	if (!strncmp(word, "buffer:", 7) || !strncmp(word, "tensor:", 7))
		return read_buffer(a, word, *word == 't', problem);
	if (!strncmp(word, "int:", 4) || !strncmp(word, "float:", 6)) {
		char *end;
		a->is_open = true;
		a->type = value_type_find(*word == 'i' ? "int64" : "float64", *word == 'i' ? 5 : 7);
		a->number = strtod(colon + 1, &end);
		return (end != colon + 1 && !*end && value_read(a->type, colon + 1, a->block)) ||
		       fail(problem, word, "a number");
	}
	a->type = colon ? value_type_find(word, (size_t)(colon - word)) : NULL;
	if (!a->type)
		return fail(problem, word, "TYPE:VALUE, null, buffer:TYPE[COUNT] or tensor:TYPE[SIZES]/BOX");
	if (!value_read(a->type, colon + 1, a->block))
		return fail(problem, word, "a number of that type");
	/* A parameter may be wider than the type. */
	if (a->type->kind == VALUE_SIGNED && a->block[a->type->bytes - 1] & 0x80)
		memset(a->block + a->type->bytes, 0xff, 8u - a->type->bytes);
	return true;
}

uint64_t argument_fit(struct argument *a, uint64_t parameter_bytes)
{
	if (a->is_open && a->type->kind == VALUE_FLOAT && parameter_bytes < 8) {
		memset(a->block, 0, sizeof a->block);
		a->type =
		    parameter_bytes == 2 ? value_type_find("float16", 7) : value_type_find("float32", 7);
		value_write(a->type, a->number, a->block);
	}
	if (a->is_open && a->type->kind != VALUE_FLOAT) {
		int64_t value;
		memcpy(&value, a->block, sizeof value);
		unsigned unused = parameter_bytes < 8 ? 64 - 8 * (unsigned)parameter_bytes : 0;
		/* -1 and 4294967295 are both words of 32 bits. */
		bool fits = !unused || value >> (63 - unused) == -1 || (uint64_t)value >> (64 - unused) == 0;
		return fits ? 1 : 8;
	}
	return !a->type ? 0 : a->rank ? sizeof a->block : a->count ? sizeof a->address : a->type->bytes;
}

/* ---- on the device --------------------------------------------------------------------------------------- */

static bool find_swizzle(const struct argument *a, CUtensorMapSwizzle *swizzle)
{
	static const struct {
		const char *name;
		uint32_t bytes;
		CUtensorMapSwizzle swizzle;
	} swizzles[] = {{"none", 0, CU_TENSOR_MAP_SWIZZLE_NONE},
	                {"32", 32, CU_TENSOR_MAP_SWIZZLE_32B},
	                {"64", 64, CU_TENSOR_MAP_SWIZZLE_64B},
	                {"128", 128, CU_TENSOR_MAP_SWIZZLE_128B}};
	*swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
	for (size_t i = 0; i < sizeof swizzles / sizeof *swizzles; i++)
		if (a->swizzle ? !strcmp(a->swizzle, swizzles[i].name)
		               : a->box[a->rank - 1] * a->type->bytes == swizzles[i].bytes) {
			*swizzle = swizzles[i].swizzle;
			return true;
		}
	return !a->swizzle;
}

/* The driver wants the innermost dimension first, and no stride for it. */
static CUresult encode(struct argument *a)
{
	uint64_t size[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], bytes = a->type->bytes;
	uint32_t box[DIMENSIONS_MAX], each[DIMENSIONS_MAX];
	CUtensorMapSwizzle swizzle;
	CUtensorMap map;
	for (uint32_t i = 0; i < a->rank; i++) {
		size[i] = a->size[a->rank - 1 - i];
		box[i] = a->box[a->rank - 1 - i];
		each[i] = 1;
		bytes *= size[i];
		stride[i] = bytes;
	}
	if (!find_swizzle(a, &swizzle))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = cuTensorMapEncodeTiled(
	    &map, (CUtensorMapDataType)a->type->map_type, a->rank, (void *)(uintptr_t)a->address, size,
	    stride, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
	    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	memcpy(a->block, &map, sizeof map);
	return result;
}

CUresult argument_place(struct argument *a)
{
	if (!a->count)
		return CUDA_SUCCESS;
	CUresult result = cuMemAlloc(&a->address, a->bytes);
	if (!result)
		result = cuMemcpyHtoD(a->address, a->host, a->bytes);
	if (!result && a->rank)
		return encode(a);
	memcpy(a->block, &a->address, sizeof a->address);
	return result;
}
