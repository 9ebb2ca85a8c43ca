/* Memory pools, managed memory and its hints, page-locked memory, and plain copies at the edges of allocations. */
#include <stdint.h>

#include "table.h"

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
	OK(cudaDeviceGetDefaultMemPool(&other, 0), cudaMemPoolCreate(&pool, &plain),
	   cudaDeviceSetMemPool(0, pool), cudaDeviceGetMemPool(&got, 0));
	CHECK(got == pool && pool != other);
	ANSWERS(INVALID_VALUE, cudaMemPoolCreate(NULL, &plain), cudaMemPoolCreate(&got, NULL),
	        create(pageable), create(on_host), create(far), cudaMemPoolDestroy(other),
	        cudaMemPoolDestroy(no_handle()), cudaDeviceGetDefaultMemPool(NULL, 0),
	        cudaDeviceGetMemPool(NULL, 0), cudaDeviceSetMemPool(0, no_handle()),
	        cudaMemPoolTrimTo(no_handle(), 0));
	ANSWERS(NOT_SUPPORTED, create(shared));
	ANSWERS(INVALID_DEVICE, cudaDeviceGetDefaultMemPool(&got, 1), cudaDeviceGetMemPool(&got, 1),
	        cudaDeviceSetMemPool(1, pool));
	void *kept;
	OK(cudaMallocAsync(&kept, 64, NULL));
	OK(cudaMemPoolDestroy(pool)); /* what was allocated from it stays; the default one is chosen again */
	GIVES(got, other, cudaDeviceGetMemPool(&got, 0));
	ANSWERS(INVALID_VALUE, cudaMemPoolDestroy(pool));
	OK(cudaMemset(kept, 1, 64), cudaFreeAsync(kept, NULL), cudaMemPoolCreate(&pool, &plain));
	OK(cudaMemPoolDestroy(pool)); /* not the chosen one */
}

TEST(a_pool_gives_as_much_as_it_may)
{
	cudaMemPool_t pool, unlimited;
	struct cudaMemPoolProps small = plain;
	void *a = NULL, *b = NULL;
	small.maxSize = 1 << 20;
	OK(cudaMemPoolCreate(&pool, &small), cudaDeviceGetDefaultMemPool(&unlimited, 0),
	   cudaMallocFromPoolAsync(&a, 1 << 19, pool, NULL));
	ANSWERS(OUT_OF_MEMORY, cudaMallocFromPoolAsync(&b, (1 << 19) + 1, pool, NULL),
	        cudaMallocFromPoolAsync(&b, (size_t)1 << 50, unlimited, NULL));
	ANSWERS(INVALID_VALUE, cudaMallocFromPoolAsync(NULL, 64, pool, NULL),
	        cudaMallocFromPoolAsync(&b, 64, no_handle(), NULL), cudaMallocAsync(NULL, 64, NULL),
	        cudaFreeAsync((char *)a + 1, NULL));
	CHECK(b == NULL);
	OK(cudaMallocFromPoolAsync(&b, 1 << 19, pool, NULL), cudaFree(b));
	GIVES(b, NULL, cudaMallocAsync(&b, 0, NULL));
	OK(cudaFreeAsync(a, NULL));
	ANSWERS(INVALID_VALUE, cudaFreeAsync(a, NULL));
	OK(cudaMemPoolDestroy(pool));
	ANSWERS(INVALID_VALUE, cudaMallocFromPoolAsync(&b, 64, pool, NULL));
}

TEST(a_pool_keeps_its_figures)
{
	cudaMemPool_t pool;
	void *memory;
	uint64_t value = 9, zero = 0, one = 1, much = UINT64_MAX / 2;
	int reuse = 0, got = 9;
	OK(cudaMemPoolCreate(&pool, &plain), cudaMallocFromPoolAsync(&memory, 4096, pool, NULL),
	   cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &much));
	GIVES(value, much, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
	OK(cudaFreeAsync(memory, NULL),
	   cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
	CHECK(value >= 4096);
	OK(cudaMemPoolTrimTo(pool, 0));
	GIVES(value, 0, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
	CHECK(value >= 4096);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero),
	   cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
	GIVES(value, 0, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &value));
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
	GIVES(got, 0, cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &got));
	ANSWERS(INVALID_VALUE, cudaMemPoolGetAttribute(no_handle(), cudaMemPoolAttrUsedMemHigh, &value),
	        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL),
	        cudaMemPoolGetAttribute(pool, 99, &value), cudaMemPoolGetAttribute(pool, 0, &value),
	        cudaMemPoolSetAttribute(no_handle(), cudaMemPoolAttrUsedMemHigh, &zero),
	        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL),
	        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one),
	        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
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
	GIVES(flags, cudaMemAccessFlagsProtReadWrite, cudaMemPoolGetAccess(&flags, pool, &here));
	ANSWERS(cudaSuccess, cudaMemPoolSetAccess(pool, &own, 1), cudaMemPoolSetAccess(pool, NULL, 0));
	ANSWERS(INVALID_VALUE, cudaMemPoolSetAccess(no_handle(), &own, 1),
	        cudaMemPoolSetAccess(pool, NULL, 1), cudaMemPoolGetAccess(NULL, pool, &here),
	        cudaMemPoolGetAccess(&flags, no_handle(), &here), cudaMemPoolGetAccess(&flags, pool, NULL),
	        cudaMemPoolGetAccess(&flags, pool, &host));
	ANSWERS(INVALID_DEVICE, cudaMemPoolSetAccess(pool, &other, 1), cudaMemPoolSetAccess(pool, &closed, 1),
	        cudaMemPoolSetAccess(pool, &outside, 1), cudaMemPoolGetAccess(&flags, pool, &far));
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
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal),
	   cudaMallocManaged((void **)&other, 64, cudaMemAttachHost));
	CHECK_EQ(told(memory, cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
	OK(cudaMemAdvise(other, 64, cudaMemAdviseSetReadMostly, 0),
	   cudaMemAdvise(memory, 64, cudaMemAdviseSetReadMostly, 0));
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
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal),
	   cudaMallocManaged((void **)&other, 64, cudaMemAttachGlobal));
	CHECK_EQ(told(other, cudaMemRangeAttributeReadMostly), 0);
	OK(cudaFree(memory)); /* of which nothing was said */
	OK(cudaFree(other));
}

TEST(who_reads_managed_memory_is_listed_as_far_as_there_is_room)
{
	char *memory;
	int list[3] = {9, 9, 9};
	const enum cudaMemRangeAttribute readers = cudaMemRangeAttributeAccessedBy;
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal),
	   cudaMemAdvise(memory, 64, cudaMemAdviseSetAccessedBy, 0),
	   cudaMemAdvise(memory, 64, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId),
	   cudaMemRangeGetAttribute(list, sizeof list, readers, memory, 64));
	CHECK(list[0] == 0 && list[1] == cudaCpuDeviceId && list[2] == cudaInvalidDeviceId);
	list[1] = 9;
	OK(cudaMemRangeGetAttribute(list, sizeof *list, readers, memory, 64));
	CHECK(list[0] == 0 && list[1] == 9);
	OK(cudaMemAdvise(memory, 64, cudaMemAdviseUnsetAccessedBy, 0),
	   cudaMemRangeGetAttribute(list, 2 * sizeof *list, readers, memory, 64));
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
	OK(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal), cudaMalloc((void **)&device, 64));
	ANSWERS(INVALID_VALUE, cudaMemAdvise(memory, 0, mostly, 0), cudaMemAdvise(memory, 65, mostly, 0),
	        cudaMemAdvise(device, 64, mostly, 0), cudaMemAdvise(&value, 4, mostly, 0),
	        cudaMemAdvise(memory, 64, 0, 0), cudaMemAdvise(memory, 64, 99, 0),
	        cudaMemAdvise_v2(memory, 64, prefer, odd), cudaMemAdvise_v2(memory, 64, prefer, beyond),
	        cudaMemPrefetchAsync_v2(memory, 64, host, 1, NULL),
	        cudaMemPrefetchAsync_v2(device, 64, host, 0, NULL),
	        cudaMemRangeGetAttribute(NULL, 4, which, memory, 64),
	        cudaMemRangeGetAttribute(&value, 0, which, memory, 64),
	        cudaMemRangeGetAttribute(&value, 3, which, memory, 64),
	        cudaMemRangeGetAttribute(&value, 4, which, device, 64),
	        cudaMemRangeGetAttribute(&value, 4, 99, memory, 64));
	ANSWERS(INVALID_DEVICE, cudaMemAdvise(memory, 64, prefer, 1),
	        cudaMemPrefetchAsync_v2(memory, 64, far, 0, NULL));
	void *values[] = {&value, &value};
	size_t sizes[] = {4, 3};
	enum cudaMemRangeAttribute both[] = {which, which};
	ANSWERS(cudaSuccess, cudaMemRangeGetAttributes(values, sizes, both, 1, memory, 64));
	ANSWERS(INVALID_VALUE, cudaMemRangeGetAttributes(values, sizes, both, 2, memory, 64),
	        cudaMemRangeGetAttributes(NULL, sizes, both, 1, memory, 64),
	        cudaMemRangeGetAttributes(values, NULL, both, 1, memory, 64),
	        cudaMemRangeGetAttributes(values, sizes, NULL, 1, memory, 64));
	OK(cudaFree(memory), cudaFree(device));
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
	GIVES(got, NULL, cudaMalloc(&got, 0));
	OK(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable),
	   cudaMallocManaged(&managed, 64, cudaMemAttachHost), cudaHostGetFlags(&flags, pinned));
	ANSWERS(INVALID_VALUE, cudaMallocManaged(&got, 0, cudaMemAttachGlobal),
	        cudaMallocManaged(NULL, 64, cudaMemAttachGlobal), cudaMallocHost(NULL, 64),
	        cudaMallocPitch(NULL, &pitch, 1, 1), cudaMallocPitch(&got, NULL, 1, 1),
	        cudaMalloc3D(NULL, wide), cudaMalloc3D(&box, wide), cudaHostRegister(NULL, 64, 0),
	        cudaHostRegister(host, 0, 0), cudaHostRegister(host, 64, 0x80), cudaHostUnregister(NULL),
	        cudaHostGetDevicePointer(NULL, pinned, 0), cudaHostGetDevicePointer(&got, pinned, 1),
	        cudaHostGetDevicePointer(&got, host, 0), cudaHostGetFlags(NULL, pinned),
	        cudaHostGetFlags(&flags, host), cudaPointerGetAttributes(NULL, host),
	        cudaMemGetInfo(NULL, &left), cudaMemGetInfo(&left, NULL), cudaFree((char *)managed + 1),
	        cudaFreeHost((char *)pinned + 1), cudaFree(host));
	ANSWERS(OUT_OF_MEMORY, cudaMallocHost(&got, (size_t)1 << 50),
	        cudaMallocPitch(&got, &pitch, 1, (size_t)1 << 48), cudaMalloc3D(&box, high),
	        cudaMalloc3D(&box, large));
	GIVES(attributes.type, cudaMemoryTypeManaged,
	      cudaPointerGetAttributes(&attributes, (char *)managed + 63));
	OK(cudaFreeHost(pinned), cudaFree(managed));
}

TEST(copies_and_fills_stay_inside_an_allocation)
{
	static char host[64], plain_host[64];
	char *device;
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost,
	                          any = cudaMemcpyDefault;
	const size_t half = (size_t)1 << 63;
	OK(cudaMalloc((void **)&device, 64), cudaHostRegister(host, 64, 0));
	struct cudaPitchedPtr rows = {device, (size_t)1 << 40, 8, 1 << 23}, sum = {device, half, 8, 1};
	ANSWERS(cudaSuccess, cudaMemcpy(device, host, 64, any), cudaMemcpy(device, plain_host, 64, any),
	        cudaMemcpy(plain_host, device, 64, any), cudaMemcpy(host, device, 64, any),
	        cudaMemcpy2D(device, 8, host, 8, 8, 0, in), cudaMemset2D(device, 8, 0, 0, 2),
	        cudaMemset2D(device, 8, 0, 8, 0), cudaMemset3D(sum, 0, (struct cudaExtent){8, 1, 0}),
	        cudaMemcpyToSymbol(&variable, host, 4, 0, any),
	        cudaMemcpyFromSymbol(host, &variable, 4, 0, any));
	ANSWERS(INVALID_VALUE, cudaMemcpy(host, device, 65, any), cudaMemcpy(host + 1, host, 64, any),
	        cudaMemcpy2D(device, 4, host, 8, 8, 1, in), cudaMemcpy2D(device, 8, host, 8, 8, 9, in),
	        cudaMemset(NULL, 0, 8), cudaMemset(host + 60, 0, 8), cudaMemset2D(device, 4, 0, 8, 2),
	        cudaMemset2D(device, half, 0, 1, 3), cudaMemset3D(rows, 0, (struct cudaExtent){1, 1, 3}),
	        cudaMemset3D(sum, 0, (struct cudaExtent){1, 2, 2}), cudaMemset2D(device, half, 0, half, 2),
	        cudaMemcpyToSymbol(&variable, host, 0, 17, in),
	        cudaMemcpyFromSymbol(host, &variable, 16, 1, out), cudaGetSymbolAddress(NULL, &variable),
	        cudaGetSymbolSize(NULL, &variable));
	ANSWERS(INVALID_DEVICE, cudaMemcpyPeer(device, 1, device, 0, 8),
	        cudaMemcpyPeer(device, 0, device, 1, 8));
	ANSWERS(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 4, host, 8, 8, 2, in),
	        cudaMemcpy2D(device, 8, host, 4, 8, 2, in));
	ANSWERS(INVALID_DIRECTION, cudaMemcpy2D(device, 8, host, 8, 8, 1, 9),
	        cudaMemcpyToSymbol(&variable, host, 4, 0, out),
	        cudaMemcpyFromSymbol(host, &variable, 4, 0, in));
	ANSWERS(INVALID_SYMBOL, cudaMemcpyToSymbol("nothing", host, 4, 0, in),
	        cudaMemcpyFromSymbol(host, "nothing", 4, 0, out));
	OK(cudaHostUnregister(host), cudaFree(device));
}

TESTS(true)
