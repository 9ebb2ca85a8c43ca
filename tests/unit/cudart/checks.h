/*
 * How tests of the runtime's API are listed, and how they check what calls return. A statement takes as many calls as
 * return the same, in order.
 *
 *	TEST(a_graph_is_made) { OK(cudaGraphCreate(&graph, 0)); ANSWERS(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0)); }
 *	TESTS(true)
 */
#ifndef SLUICE_TESTS_UNIT_CUDART_CHECKS_H
#define SLUICE_TESTS_UNIT_CUDART_CHECKS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "lib/listed.h"

/* Short names of errors; as numbers they are the same in both APIs. */
#define INVALID_VALUE ((int)cudaErrorInvalidValue)
#define INVALID_HANDLE ((int)cudaErrorInvalidResourceHandle)
#define INVALID_DEVICE ((int)cudaErrorInvalidDevice)
#define INVALID_FUNCTION ((int)cudaErrorInvalidDeviceFunction)
#define INVALID_CONFIGURATION ((int)cudaErrorInvalidConfiguration)
#define INVALID_CONTEXT ((int)cudaErrorDeviceUninitialized)
#define INVALID_SYMBOL ((int)cudaErrorInvalidSymbol)
#define INVALID_DIRECTION ((int)cudaErrorInvalidMemcpyDirection)
#define INVALID_CHANNEL ((int)cudaErrorInvalidChannelDescriptor)
#define INVALID_CLUSTER ((int)cudaErrorInvalidClusterSize)
#define INVALID_TEXTURE ((int)cudaErrorInvalidTexture)
#define INVALID_PTX ((int)cudaErrorInvalidPtx)
#define INVALID_IMAGE ((int)cudaErrorInvalidKernelImage)
#define NO_BINARY ((int)cudaErrorNoKernelImageForDevice)
#define NOT_SUPPORTED ((int)cudaErrorNotSupported)
#define NOT_INITIALIZED ((int)cudaErrorInitializationError)
#define NOT_FOUND ((int)cudaErrorSymbolNotFound)
#define FILE_NOT_FOUND ((int)cudaErrorFileNotFound)
#define OUT_OF_MEMORY ((int)cudaErrorMemoryAllocation)
#define ILLEGAL_ADDRESS ((int)cudaErrorIllegalAddress)
#define ILLEGAL_STATE ((int)cudaErrorIllegalState)
#define UPDATE_FAILURE ((int)cudaErrorGraphExecUpdateFailure)
#define CAPTURE_UNSUPPORTED ((int)cudaErrorStreamCaptureUnsupported)
#define CAPTURE_INVALIDATED ((int)cudaErrorStreamCaptureInvalidated)
#define CAPTURE_IMPLICIT ((int)cudaErrorStreamCaptureImplicit)

/* EACH(m, want, a, b): m(want, a) m(want, b). */
#define EACH(m, want, ...) EACH_SCAN_4(EACH_STEP(m, want, __VA_ARGS__))
#define EACH_STEP(m, want, call, ...) m(want, call) __VA_OPT__(EACH_NEXT EACH_PARENS(m, want, __VA_ARGS__))
#define EACH_NEXT() EACH_STEP
#define EACH_PARENS ()
#define EACH_SCAN_1(...) __VA_ARGS__
#define EACH_SCAN_2(...) EACH_SCAN_1(EACH_SCAN_1(EACH_SCAN_1(EACH_SCAN_1(__VA_ARGS__))))
#define EACH_SCAN_3(...) EACH_SCAN_2(EACH_SCAN_2(EACH_SCAN_2(__VA_ARGS__)))
#define EACH_SCAN_4(...) EACH_SCAN_3(EACH_SCAN_3(EACH_SCAN_3(__VA_ARGS__)))

/* Prints the call if it does not return this, and counts it. */
static inline bool returned(long long got, long long want, const char *call, int line)
{
	if (got != want)
		printf("# line %d: %s is %lld, expected %lld\n", line, call, got, want);
	test_failures += got != want;
	return got == want;
}

/* The error itself, or something that is none if it is not the thread's last one, once. */
static inline long long seen(cudaError_t error)
{
	cudaError_t last = cudaGetLastError(), then = cudaGetLastError();
	return last == error && !then ? (long long)error : -1000 - (long long)last;
}

#define CHECK_RETURNED(want, call)                                                                           \
	if (!returned((long long)(call), (long long)(want), #call, __LINE__))                                \
		return;
#define CHECK_SEEN(want, call) CHECK_RETURNED(want, seen(call))
#define COUNT_RETURNED(want, call) returned((long long)(call), (long long)(want), #call, __LINE__);

/* The test ends at the first call that returns something else; ANSWERS: of the runtime API, with its last error. */
#define OK(...) RETURNS(0, __VA_ARGS__)
#define RETURNS(want, ...)                                                                                   \
	do {                                                                                                 \
		EACH(CHECK_RETURNED, want, __VA_ARGS__)                                                      \
	} while (0)
#define ANSWERS(want, ...)                                                                                   \
	do {                                                                                                 \
		EACH(CHECK_SEEN, want, __VA_ARGS__)                                                          \
	} while (0)
/* The call succeeds and leaves `want` in `got`. */
#define GIVES(got, want, call)                                                                               \
	do {                                                                                                 \
		OK(call);                                                                                    \
		CHECK_EQ(got, want);                                                                         \
	} while (0)
/* The same of a string. */
#define SAYS(got, want, call)                                                                                \
	do {                                                                                                 \
		OK(call);                                                                                    \
		CHECK(strcmp(got, want) == 0);                                                               \
	} while (0)
/* In a process of its own: these go on, and count in test_failures. */
#define EXPECT(want, ...)                                                                                    \
	do {                                                                                                 \
		EACH(COUNT_RETURNED, want, __VA_ARGS__)                                                      \
	} while (0)
#define EXPECT_GIVES(got, want, call)                                                                        \
	do {                                                                                                 \
		EXPECT(0, call);                                                                             \
		EXPECT(want, got);                                                                           \
	} while (0)

#endif
