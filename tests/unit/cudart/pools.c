/* Memory pools, managed memory and its hints, page-locked memory, and plain copies at the edges of allocations. */
#include <stdint.h>

#include "table.h"

static const cudaError_t bad = cudaErrorInvalidValue;
static const struct cudaMemPoolProps plain = {.allocType = cudaMemAllocationTypePinned,
                                              .location = {.type = cudaMemLocationTypeDevice}};

/* ---- pools -------------------------------------------------------------------------------------------------- */

static cudaError_t create(struct cudaMemPoolProps props)
{
	cudaMemPool_t pool;
	return cudaMemPoolCreate(&pool, &props);
}

TEST(pools_are_made_chosen_and_destroyed)
{
	cudaMemPool_t pool, other, got;
	struct cudaMemPoolProps pageable = plain, on_host = plain, far = plain, shared = plain;
	pageable.allocType = cudaMemAllocationTypeInvalid;
	on_host.location.type = cudaMemLocationTypeHost;
	far.location.id = 1;
	shared.handleTypes = cudaMemHandleTypePosixFileDescriptor;
	OK(cudaDeviceGetDefaultMemPool(&other, 0));
	OK(cudaMemPoolCreate(&pool, &plain));
	OK(cudaDeviceSetMemPool(0, pool));
	OK(cudaDeviceGetMemPool(&got, 0));
	CHECK(got == pool && pool != other);
	ANSWERS(ROW(bad, cudaMemPoolCreate(NULL, &plain)), ROW(bad, cudaMemPoolCreate(&got, NULL)),
	        ROW(bad, create(pageable)), ROW(bad, create(on_host)), ROW(bad, create(far)),
	        ROW(cudaErrorNotSupported, create(shared)), ROW(bad, cudaMemPoolDestroy(other)),
	        ROW(bad, cudaMemPoolDestroy(no_handle())),
	        ROW(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&got, 1)),
	        ROW(bad, cudaDeviceGetDefaultMemPool(NULL, 0)),
	        ROW(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&got, 1)),
	        ROW(bad, cudaDeviceGetMemPool(NULL, 0)),
	        ROW(cudaErrorInvalidDevice, cudaDeviceSetMemPool(1, pool)),
	        ROW(bad, cudaDeviceSetMemPool(0, no_handle())), ROW(bad, cudaMemPoolTrimTo(no_handle(), 0)));
	void *kept;
	OK(cudaMallocAsync(&kept, 64, NULL));
	OK(cudaMemPoolDestroy(pool)); /* what was allocated from it stays; the default one is chosen again */
	OK(cudaDeviceGetMemPool(&got, 0));
	CHECK(got == other);
	FAILS(cudaMemPoolDestroy(pool), bad);
	OK(cudaMemset(kept, 1, 64));
	OK(cudaFreeAsync(kept, NULL));
	OK(cudaMemPoolCreate(&pool, &plain));
	OK(cudaMemPoolDestroy(pool)); /* not the chosen one */
}

TEST(a_pool_gives_as_much_as_it_may)
{
	cudaMemPool_t pool, unlimited;
	struct cudaMemPoolProps small = plain;
	void *a = NULL, *b = NULL;
	small.maxSize = 1 << 20;
	OK(cudaMemPoolCreate(&pool, &small));
	OK(cudaDeviceGetDefaultMemPool(&unlimited, 0));
	OK(cudaMallocFromPoolAsync(&a, 1 << 19, pool, NULL));
	ANSWERS(ROW(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&b, (1 << 19) + 1, pool, NULL)),
	        ROW(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&b, (size_t)1 << 50, unlimited, NULL)),
	        ROW(bad, cudaMallocFromPoolAsync(NULL, 64, pool, NULL)),
	        ROW(bad, cudaMallocFromPoolAsync(&b, 64, no_handle(), NULL)),
	        ROW(bad, cudaMallocAsync(NULL, 64, NULL)), ROW(bad, cudaFreeAsync((char *)a + 1, NULL)));
	CHECK(b == NULL);
	OK(cudaMallocFromPoolAsync(&b, 1 << 19, pool, NULL));
	OK(cudaFree(b));
	OK(cudaMallocAsync(&b, 0, NULL));
	CHECK(b == NULL);
	OK(cudaFreeAsync(a, NULL));
	FAILS(cudaFreeAsync(a, NULL), bad);
	OK(cudaMemPoolDestroy(pool));
	FAILS(cudaMallocFromPoolAsync(&b, 64, pool, NULL), bad);
}

TEST(a_pool_keeps_its_figures)
{
	cudaMemPool_t pool;
	void *memory;
	uint64_t value = 9, zero = 0, one = 1, much = UINT64_MAX / 2;
	int reuse = 0, got = 9;
	OK(cudaMemPoolCreate(&pool, &plain));
	OK(cudaMallocFromPoolAsync(&memory, 4096, pool, NULL));
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &much));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
	CHECK(value == much);
	OK(cudaFreeAsync(memory, NULL));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
	CHECK(value >= 4096);
	OK(cudaMemPoolTrimTo(pool, 0));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
	CHECK_EQ(value, 0);
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
	CHECK(value >= 4096);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &value));
	CHECK_EQ(value, 0);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &got));
	CHECK_EQ(got, 0);
	ANSWERS(ROW(bad, cudaMemPoolGetAttribute(no_handle(), cudaMemPoolAttrUsedMemHigh, &value)),
	        ROW(bad, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL)),
	        ROW(bad, cudaMemPoolGetAttribute(pool, 99, &value)),
	        ROW(bad, cudaMemPoolGetAttribute(pool, 0, &value)),
	        ROW(bad, cudaMemPoolSetAttribute(no_handle(), cudaMemPoolAttrUsedMemHigh, &zero)),
	        ROW(bad, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL)),
	        ROW(bad, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one)),
	        ROW(bad, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero)));
	OK(cudaMemPoolDestroy(pool));
}

TEST(the_device_can_always_use_its_own_pools)
{
	cudaMemPool_t pool;
	enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
	struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, far = {cudaMemLocationTypeDevice, 1},
	                       host = {cudaMemLocationTypeHost, 0};
	struct cudaMemAccessDesc own = {here, cudaMemAccessFlagsProtReadWrite},
	                         other = {far, cudaMemAccessFlagsProtReadWrite};
	struct cudaMemAccessDesc closed = {here, cudaMemAccessFlagsProtNone},
	                         outside = {host, cudaMemAccessFlagsProtReadWrite};
	OK(cudaDeviceGetDefaultMemPool(&pool, 0));
	OK(cudaMemPoolGetAccess(&flags, pool, &here));
	CHECK_EQ(flags, cudaMemAccessFlagsProtReadWrite);
	ANSWERS(ROW(cudaSuccess, cudaMemPoolSetAccess(pool, &own, 1)),
	        ROW(cudaSuccess, cudaMemPoolSetAccess(pool, NULL, 0)),
	        ROW(bad, cudaMemPoolSetAccess(no_handle(), &own, 1)),
	        ROW(bad, cudaMemPoolSetAccess(pool, NULL, 1)),
	        ROW(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &other, 1)),
	        ROW(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &closed, 1)),
	        ROW(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &outside, 1)),
	        ROW(bad, cudaMemPoolGetAccess(NULL, pool, &here)),
	        ROW(bad, cudaMemPoolGetAccess(&flags, no_handle(), &here)),
	        ROW(bad, cudaMemPoolGetAccess(&flags, pool, NULL)),
	        ROW(bad, cudaMemPoolGetAccess(&flags, pool, &host)),
	        ROW(cudaErrorInvalidDevice, cudaMemPoolGetAccess(&flags, pool, &far)));
}

/* ---- managed memory ----------------------------------------------------------------------------------------- */

static int told(const void *memory, enum cudaMemRangeAttribute which)
{
	int value = -99;
	return cudaMemRangeGetAttribute(&value, sizeof value, which, memory, 64) ? -98 : value;
}

TEST(hints_about_managed_memory_are_told_again)
{
	char *memory, *other;
	const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0},
	                             device = {cudaMemLocationTypeDevice, 0};
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal));
	OK(cudaMallocManaged((void **)&other, 64, cudaMemAttachHost));
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
	OK(cudaMemAdvise(other, 64, cudaMemAdviseSetReadMostly, 0));
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseSetReadMostly, 0));
	CHECK_EQ(told(memory, cudaMemRangeAttributeReadMostly), 1);
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseUnsetReadMostly, 0));
	CHECK_EQ(told(memory, cudaMemRangeAttributeReadMostly), 0);
	OK(cudaMemAdvise_v2(memory, 64, cudaMemAdviseSetPreferredLocation, device));
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocation), 0);
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocation), cudaCpuDeviceId);
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeHost);
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocationId), 0);
	OK(cudaMemAdvise_v2(memory, 64, cudaMemAdviseUnsetPreferredLocation, device));
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeNone);
	OK(cudaMemPrefetchAsync(memory, 64, 0, NULL));
	CHECK_EQ(told(memory, cudaMemRangeAttributeLastPrefetchLocation), 0);
	OK(cudaMemPrefetchAsync_v2(memory, 64, host, 0, NULL));
	CHECK_EQ(told(memory, cudaMemRangeAttributeLastPrefetchLocationType), cudaMemLocationTypeHost);
	CHECK_EQ(told(memory, cudaMemRangeAttributeLastPrefetchLocationId), 0);
	CHECK_EQ(told(other, cudaMemRangeAttributeReadMostly), 1);
	OK(cudaFree(memory));
	OK(cudaDeviceReset()); /* whatever comes to lie there knows of nothing */
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal));
	OK(cudaMallocManaged((void **)&other, 64, cudaMemAttachGlobal));
	CHECK_EQ(told(other, cudaMemRangeAttributeReadMostly), 0);
	OK(cudaFree(memory)); /* of which nothing was said */
	OK(cudaFree(other));
}

TEST(who_reads_managed_memory_is_listed_as_far_as_there_is_room)
{
	char *memory;
	int list[3] = {9, 9, 9};
	const enum cudaMemRangeAttribute readers = cudaMemRangeAttributeAccessedBy;
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal));
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseSetAccessedBy, 0));
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
	OK(cudaMemRangeGetAttribute(list, sizeof list, readers, memory, 64));
	CHECK(list[0] == 0 && list[1] == cudaCpuDeviceId && list[2] == cudaInvalidDeviceId);
	list[1] = 9;
	OK(cudaMemRangeGetAttribute(list, sizeof *list, readers, memory, 64));
	CHECK(list[0] == 0 && list[1] == 9);
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseUnsetAccessedBy, 0));
	OK(cudaMemRangeGetAttribute(list, 2 * sizeof *list, readers, memory, 64));
	CHECK(list[0] == cudaCpuDeviceId && list[1] == cudaInvalidDeviceId);
	OK(cudaFree(memory));
}

TEST(hints_are_about_managed_memory_and_places_that_are_there)
{
	char *memory, *device;
	int value;
	const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0},
	                             far = {cudaMemLocationTypeDevice, 1},
	                             odd = {cudaMemLocationTypeInvalid, 0};
	const struct cudaMemLocation beyond = {99, 0};
	const enum cudaMemoryAdvise prefer = cudaMemAdviseSetPreferredLocation,
	                            mostly = cudaMemAdviseSetReadMostly;
	const enum cudaMemRangeAttribute which = cudaMemRangeAttributeReadMostly;
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal));
	OK(cudaMalloc((void **)&device, 64));
	ANSWERS(ROW(bad, cudaMemAdvise(memory, 0, mostly, 0)), ROW(bad, cudaMemAdvise(memory, 65, mostly, 0)),
	        ROW(bad, cudaMemAdvise(device, 64, mostly, 0)), ROW(bad, cudaMemAdvise(&value, 4, mostly, 0)),
	        ROW(bad, cudaMemAdvise(memory, 64, 0, 0)), ROW(bad, cudaMemAdvise(memory, 64, 99, 0)),
	        ROW(cudaErrorInvalidDevice, cudaMemAdvise(memory, 64, prefer, 1)),
	        ROW(bad, cudaMemAdvise_v2(memory, 64, prefer, odd)),
	        ROW(bad, cudaMemAdvise_v2(memory, 64, prefer, beyond)),
	        ROW(cudaErrorInvalidDevice, cudaMemPrefetchAsync_v2(memory, 64, far, 0, NULL)),
	        ROW(bad, cudaMemPrefetchAsync_v2(memory, 64, host, 1, NULL)),
	        ROW(bad, cudaMemPrefetchAsync_v2(device, 64, host, 0, NULL)),
	        ROW(bad, cudaMemRangeGetAttribute(NULL, 4, which, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttribute(&value, 0, which, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttribute(&value, 3, which, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttribute(&value, 4, which, device, 64)),
	        ROW(bad, cudaMemRangeGetAttribute(&value, 4, 99, memory, 64)));
	void *values[] = {&value, &value};
	size_t sizes[] = {4, 3};
	enum cudaMemRangeAttribute both[] = {which, which};
	ANSWERS(ROW(cudaSuccess, cudaMemRangeGetAttributes(values, sizes, both, 1, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttributes(values, sizes, both, 2, memory, 64)));
	ANSWERS(ROW(bad, cudaMemRangeGetAttributes(NULL, sizes, both, 1, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttributes(values, NULL, both, 1, memory, 64)),
	        ROW(bad, cudaMemRangeGetAttributes(values, sizes, NULL, 1, memory, 64)));
	OK(cudaFree(memory));
	OK(cudaFree(device));
}

/* ---- plain memory -------------------------------------------------------------------------------------------- */

TEST(memory_is_given_within_limits)
{
	static char host[64];
	void *got = host, *pinned, *managed;
	size_t pitch, left;
	unsigned flags;
	struct cudaPitchedPtr box;
	struct cudaPointerAttributes attributes;
	const struct cudaExtent wide = {SIZE_MAX - 1, 1, 1}, high = {1, SIZE_MAX, 2},
	                        large = {512, SIZE_MAX / 4, 1};
	OK(cudaMalloc(&got, 0));
	CHECK(got == NULL);
	OK(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable));
	OK(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
	OK(cudaHostGetFlags(&flags, pinned));
	ANSWERS(ROW(bad, cudaMallocManaged(&got, 0, cudaMemAttachGlobal)),
	        ROW(bad, cudaMallocManaged(NULL, 64, cudaMemAttachGlobal)),
	        ROW(cudaErrorMemoryAllocation, cudaMallocHost(&got, (size_t)1 << 50)),
	        ROW(bad, cudaMallocHost(NULL, 64)), ROW(bad, cudaMallocPitch(NULL, &pitch, 1, 1)),
	        ROW(bad, cudaMallocPitch(&got, NULL, 1, 1)),
	        ROW(cudaErrorMemoryAllocation, cudaMallocPitch(&got, &pitch, 1, (size_t)1 << 48)),
	        ROW(bad, cudaMalloc3D(NULL, wide)), ROW(bad, cudaMalloc3D(&box, wide)),
	        ROW(cudaErrorMemoryAllocation, cudaMalloc3D(&box, high)),
	        ROW(cudaErrorMemoryAllocation, cudaMalloc3D(&box, large)),
	        ROW(bad, cudaHostRegister(NULL, 64, 0)), ROW(bad, cudaHostRegister(host, 0, 0)),
	        ROW(bad, cudaHostRegister(host, 64, 0x80)), ROW(bad, cudaHostUnregister(NULL)),
	        ROW(bad, cudaHostGetDevicePointer(NULL, pinned, 0)),
	        ROW(bad, cudaHostGetDevicePointer(&got, pinned, 1)),
	        ROW(bad, cudaHostGetDevicePointer(&got, host, 0)), ROW(bad, cudaHostGetFlags(NULL, pinned)),
	        ROW(bad, cudaHostGetFlags(&flags, host)), ROW(bad, cudaPointerGetAttributes(NULL, host)),
	        ROW(bad, cudaMemGetInfo(NULL, &left)), ROW(bad, cudaMemGetInfo(&left, NULL)),
	        ROW(bad, cudaFree((char *)managed + 1)), ROW(bad, cudaFreeHost((char *)pinned + 1)),
	        ROW(bad, cudaFree(host)));
	OK(cudaPointerGetAttributes(&attributes, (char *)managed + 63));
	CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
	OK(cudaFreeHost(pinned));
	OK(cudaFree(managed));
}

TEST(copies_and_fills_stay_inside_an_allocation)
{
	static char host[64], plain_host[64];
	char *device;
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost,
	                          any = cudaMemcpyDefault;
	const size_t half = (size_t)1 << 63;
	OK(cudaMalloc((void **)&device, 64));
	OK(cudaHostRegister(host, 64, 0));
	struct cudaPitchedPtr rows = {device, (size_t)1 << 40, 8, 1 << 23}, sum = {device, half, 8, 1};
	ANSWERS(ROW(cudaSuccess, cudaMemcpy(device, host, 64, any)),
	        ROW(cudaSuccess, cudaMemcpy(device, plain_host, 64, any)),
	        ROW(cudaSuccess, cudaMemcpy(plain_host, device, 64, any)),
	        ROW(cudaSuccess, cudaMemcpy(host, device, 64, any)),
	        ROW(bad, cudaMemcpy(host, device, 65, any)), ROW(bad, cudaMemcpy(host + 1, host, 64, any)),
	        ROW(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 1, device, 0, 8)),
	        ROW(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 0, device, 1, 8)),
	        ROW(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 4, host, 8, 8, 2, in)),
	        ROW(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 8, host, 4, 8, 2, in)),
	        ROW(bad, cudaMemcpy2D(device, 4, host, 8, 8, 1, in)),
	        ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(device, 8, host, 8, 8, 1, 9)),
	        ROW(cudaSuccess, cudaMemcpy2D(device, 8, host, 8, 8, 0, in)),
	        ROW(bad, cudaMemset(NULL, 0, 8)), ROW(bad, cudaMemset(host + 60, 0, 8)),
	        ROW(bad, cudaMemset2D(device, 4, 0, 8, 2)),
	        ROW(cudaSuccess, cudaMemset2D(device, 8, 0, 0, 2)),
	        ROW(cudaSuccess, cudaMemset2D(device, 8, 0, 8, 0)),
	        ROW(cudaSuccess, cudaMemset3D(sum, 0, (struct cudaExtent){8, 1, 0})),
	        ROW(bad, cudaMemset2D(device, half, 0, 1, 3)),
	        ROW(bad, cudaMemset3D(rows, 0, (struct cudaExtent){1, 1, 3})),
	        ROW(bad, cudaMemset3D(sum, 0, (struct cudaExtent){1, 2, 2})),
	        ROW(bad, cudaMemset2D(device, half, 0, half, 2)));
	ANSWERS(ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(&variable, host, 4, 0, out)),
	        ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(host, &variable, 4, 0, in)),
	        ROW(cudaSuccess, cudaMemcpyToSymbol(&variable, host, 4, 0, any)),
	        ROW(cudaSuccess, cudaMemcpyFromSymbol(host, &variable, 4, 0, any)),
	        ROW(bad, cudaMemcpyToSymbol(&variable, host, 0, 17, in)),
	        ROW(bad, cudaMemcpyFromSymbol(host, &variable, 16, 1, out)),
	        ROW(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("nothing", host, 4, 0, in)),
	        ROW(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(host, "nothing", 4, 0, out)),
	        ROW(bad, cudaGetSymbolAddress(NULL, &variable)),
	        ROW(bad, cudaGetSymbolSize(NULL, &variable)));
	OK(cudaHostUnregister(host));
	OK(cudaFree(device));
}

TEST_MAIN(TEST_ENTRY(pools_are_made_chosen_and_destroyed) TEST_ENTRY(a_pool_gives_as_much_as_it_may)
              TEST_ENTRY(a_pool_keeps_its_figures) TEST_ENTRY(the_device_can_always_use_its_own_pools)
                  TEST_ENTRY(hints_about_managed_memory_are_told_again)
                      TEST_ENTRY(who_reads_managed_memory_is_listed_as_far_as_there_is_room)
                          TEST_ENTRY(hints_are_about_managed_memory_and_places_that_are_there)
                              TEST_ENTRY(memory_is_given_within_limits)
                                  TEST_ENTRY(copies_and_fills_stay_inside_an_allocation))
