/* Errors: names and texts, the last one of a thread, which a look leaves and a question takes. */
#include "checks.h"

TEST(errors_have_their_names_and_texts)
{
	static const struct {
		int code;
		const char *name, *text;
	} rows[] = {{cudaSuccess, "cudaSuccess", "no error"},
	            {ILLEGAL_ADDRESS, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
	            {12345, "unrecognized error code", "unrecognized error code"}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(!strcmp(cudaGetErrorName((cudaError_t)rows[i].code), rows[i].name) &&
		      !strcmp(cudaGetErrorString((cudaError_t)rows[i].code), rows[i].text));
	CHECK_EQ(cudaErrorLaunchFailure, 719);
}

TEST(the_last_error_is_kept_until_it_is_taken)
{
	RETURNS(INVALID_VALUE, cudaMalloc(NULL, 8), cudaPeekAtLastError(), cudaGetLastError());
	OK(cudaPeekAtLastError(), cudaGetLastError());
}

TESTS(true)
