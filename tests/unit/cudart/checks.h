/* How tests of the runtime's API check what a call answers. */
#ifndef SLUICE_TESTS_UNIT_CUDART_CHECKS_H
#define SLUICE_TESTS_UNIT_CUDART_CHECKS_H

#include <cuda_runtime_api.h>

#include "test.h"

#define OK(call) CHECK_EQ(call, 0)
/* Of the runtime API: the error is the thread's last one, once. */
#define FAILS(call, code)                                                                                    \
	do {                                                                                                 \
		CHECK_EQ(call, code);                                                                        \
		CHECK_EQ(cudaGetLastError(), code);                                                          \
		CHECK_EQ(cudaGetLastError(), cudaSuccess);                                                   \
	} while (0)
/* In a process of its own: the number of claims that were wrong, each of which is printed. */
#define EXPECT(call, code)                                                                                   \
	do {                                                                                                 \
		long long got_ = (long long)(call), want_ = (long long)(code);                               \
		if (got_ != want_) {                                                                         \
			printf("# %s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #call, got_,      \
			       want_);                                                                       \
			test_failures++;                                                                     \
		}                                                                                            \
	} while (0)

#endif
