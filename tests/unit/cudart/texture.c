/* Texture objects, surface objects and texture references: what can be made of what, and what is refused how. */
#include "module.h"

#include <cuda_runtime_api.h>

#include "fixture.h"

/* ---- registered as clang's host code does it ------------------------------------------------------------------------- */

static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                           ".global .texref picture;\n.global .texref twice;\n.global .u32 number;\n";
static const char broken[] = ".version 6.0\n.target sm_70\n.address_size 64\n.nonsense\n";
static struct textureReference picture, bytes_of, twice, twin, absent, number, lost;
static char plain;

static void add_texture(void **module, const struct textureReference *reference, const char *name,
                        int normalized)
{
	__cudaRegisterTexture(module, reference, NULL, name, 1, normalized, 0);
}

__attribute__((constructor)) static void register_all(void)
{
	void **module[3];
	for (int i = 0; i < 3; i++)
		module[i] = module_add(i < 2 ? text : broken);
	add_texture(module[0], &picture, "picture", 0);
	add_texture(module[0], &twice, "twice", 0);
	add_texture(module[0], &absent, "absent", 0);
	add_texture(module[0], &number, "number", 0);
	add_texture(module[1], &bytes_of, "picture", 1);
	add_texture(module[1], &twin, "twice", 0);
	add_texture(module[2], &lost, "lost", 0);
	for (int i = 0; i < 3; i++)
		__cudaRegisterFatBinaryEnd(module[i]);
}

/* ---- objects ---------------------------------------------------------------------------------------------------------------- */

static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const struct cudaChannelFormatDesc halves = {16, 16, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc ints = {32, 32, 0, 0, cudaChannelFormatKindSigned};

static struct cudaResourceDesc linear(void *pointer, struct cudaChannelFormatDesc format, size_t size)
{
	struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
	r.res.linear.devPtr = pointer;
	r.res.linear.desc = format;
	r.res.linear.sizeInBytes = size;
	return r;
}

static cudaError_t try_object(const struct cudaResourceDesc *resource, struct cudaTextureDesc description)
{
	cudaTextureObject_t object = 0;
	cudaError_t result = cudaCreateTextureObject(&object, resource, &description, NULL);
	cudaGetLastError();
	if (!result)
		result = cudaDestroyTextureObject(object);
	return result;
}

TEST(how_texels_are_read_depends_on_their_format)
{
	const struct cudaChannelFormatDesc odd = {24, 0, 0, 0, cudaChannelFormatKindFloat};
	const struct {
		struct cudaChannelFormatDesc format;
		struct cudaTextureDesc how;
		int want;
	} rows[] = {
	    {floats, {.readMode = cudaReadModeElementType}, cudaSuccess},
	    {floats, {.readMode = cudaReadModeNormalizedFloat}, cudaErrorInvalidNormSetting},
	    {halves, {.readMode = cudaReadModeNormalizedFloat}, cudaErrorInvalidNormSetting},
	    {bytes, {.readMode = cudaReadModeNormalizedFloat}, cudaSuccess},
	    {ints, {.readMode = cudaReadModeNormalizedFloat}, cudaErrorInvalidNormSetting},
	    {floats, {.filterMode = cudaFilterModeLinear}, cudaSuccess},
	    {bytes, {.filterMode = cudaFilterModeLinear}, cudaErrorInvalidFilterSetting},
	    {bytes,
	     {.filterMode = cudaFilterModeLinear, .readMode = cudaReadModeNormalizedFloat},
	     cudaSuccess},
	    {floats, {.filterMode = (enum cudaTextureFilterMode)2}, INVALID_VALUE},
	    {floats, {.addressMode = {0, (enum cudaTextureAddressMode)4, 0}}, INVALID_VALUE},
	    {floats, {.addressMode = {cudaAddressModeMirror}, .normalizedCoords = 1}, cudaSuccess},
	    {floats, {.addressMode = {cudaAddressModeBorder}}, cudaSuccess},
	    {odd, {.readMode = cudaReadModeElementType}, INVALID_CHANNEL},
	    /* Left out: sRGB and borders of a colour. */
	    {bytes, {.sRGB = 1, .readMode = cudaReadModeNormalizedFloat}, NOT_SUPPORTED},
	    {floats, {.borderColor = {0, 0, 0, 1}}, NOT_SUPPORTED},
	};
	void *device;
	OK(cudaMalloc(&device, 4096));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cudaResourceDesc resource = linear(device, rows[i].format, 1024);
		CHECK_EQ(try_object(&resource, rows[i].how), rows[i].want);
	}
	OK(cudaFree(device));
}

TEST(linear_memory_must_be_an_aligned_allocation)
{
	const struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
	char *device;
	OK(cudaMalloc((void **)&device, 4096));
	const struct {
		void *at;
		size_t size;
		int want;
	} rows[] = {{device, 4096, cudaSuccess},
	            {device + 512, 1 << 20, cudaSuccess}, /* it ends with the allocation */
	            {device + 4, 64, INVALID_VALUE},
	            {NULL, 64, INVALID_VALUE},
	            {(void *)(uintptr_t)0x200, 64, INVALID_VALUE}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cudaResourceDesc resource = linear(rows[i].at, floats, rows[i].size);
		CHECK_EQ(try_object(&resource, how), rows[i].want);
	}
	OK(cudaFree(device));
}

TEST(pitched_memory_must_hold_all_rows)
{
	const struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
	char *device;
	OK(cudaMalloc((void **)&device, 4096));
	const struct {
		size_t width, height, pitch;
		int want;
	} rows[] = {{16, 4, 512, cudaSuccess},
	            {128, 8, 512, cudaSuccess},
	            {16, 4, 520, INVALID_VALUE},
	            /* From here on a GPU accepts what it will read out of bounds. */
	            {0, 4, 512, INVALID_VALUE},
	            {16, 0, 512, INVALID_VALUE},
	            {131073, 1, 1 << 20, INVALID_VALUE},
	            {16, 65001, 512, INVALID_VALUE},
	            {129, 4, 512, INVALID_VALUE},
	            {16, 9, 512, INVALID_VALUE},
	            {16, 65000, (size_t)1 << 63, INVALID_VALUE}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};
		resource.res.pitch2D.devPtr = device;
		resource.res.pitch2D.desc = floats;
		resource.res.pitch2D.width = rows[i].width;
		resource.res.pitch2D.height = rows[i].height;
		resource.res.pitch2D.pitchInBytes = rows[i].pitch;
		CHECK_EQ(try_object(&resource, how), rows[i].want);
	}
	struct cudaResourceDesc freed = {.resType = cudaResourceTypePitch2D};
	freed.res.pitch2D.devPtr = device;
	freed.res.pitch2D.desc = floats;
	freed.res.pitch2D.width = freed.res.pitch2D.height = 4;
	freed.res.pitch2D.pitchInBytes = 512;
	OK(try_object(&freed, how), cudaFree(device));
	RETURNS(INVALID_VALUE, try_object(&freed, how));
}

TEST(arrays_are_textures_of_their_dimensions)
{
	const struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
	const struct {
		struct cudaExtent extent;
		unsigned flags;
	} rows[] = {{{16, 0, 0}, 0},
	            {{16, 8, 0}, 0},
	            {{16, 8, 4}, 0},
	            {{16, 8, 4}, cudaArrayLayered},
	            {{16, 0, 4}, cudaArrayLayered},
	            {{16, 16, 6}, cudaArrayCubemap}};
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
	cudaArray_t array = NULL;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		OK(cudaMalloc3DArray(&array, &floats, rows[i].extent, rows[i].flags));
		resource.res.array.array = array;
		OK(try_object(&resource, how), cudaFreeArray(array));
	}
	RETURNS(INVALID_HANDLE, try_object(&resource, how));
	resource.res.array.array = NULL;
	RETURNS(INVALID_HANDLE, try_object(&resource, how));
	/* Left out: mip levels and views of arrays. */
	resource.resType = cudaResourceTypeMipmappedArray;
	RETURNS(NOT_SUPPORTED, try_object(&resource, how));
}

TEST(objects_tell_what_they_were_made_of)
{
	struct cudaTextureDesc how = {.addressMode = {cudaAddressModeBorder}}, got_how;
	struct cudaResourceViewDesc view = {0};
	struct cudaResourceDesc resource, got;
	cudaTextureObject_t first, second, none = 0;
	void *device;
	OK(cudaMalloc(&device, 4096));
	resource = linear(device, floats, 256);
	OK(cudaCreateTextureObject(&first, &resource, &how, NULL),
	   cudaCreateTextureObject(&second, &resource, &how, NULL));
	CHECK(first != second);
	OK(cudaGetTextureObjectResourceDesc(&got, first));
	CHECK(got.resType == cudaResourceTypeLinear && got.res.linear.devPtr == device &&
	      got.res.linear.sizeInBytes == 256);
	OK(cudaGetTextureObjectTextureDesc(&got_how, second));
	CHECK_EQ(got_how.addressMode[0], cudaAddressModeBorder);
	ANSWERS(INVALID_VALUE, cudaGetTextureObjectResourceDesc(NULL, first),
	        cudaGetTextureObjectTextureDesc(NULL, first), cudaGetTextureObjectResourceDesc(&got, 12345),
	        cudaGetTextureObjectTextureDesc(&got_how, 12345),
	        cudaCreateTextureObject(NULL, &resource, &how, NULL),
	        cudaCreateTextureObject(&none, NULL, &how, NULL),
	        cudaCreateTextureObject(&none, &resource, NULL, NULL));
	ANSWERS(NOT_SUPPORTED, cudaCreateTextureObject(&none, &resource, &how, &view));
	OK(cudaDestroyTextureObject(first), cudaDestroyTextureObject(0), cudaDestroyTextureObject(first));
	ANSWERS(INVALID_VALUE, cudaGetTextureObjectResourceDesc(&got, first));
	OK(cudaDeviceReset());
	ANSWERS(INVALID_VALUE, cudaGetTextureObjectResourceDesc(&got, second));
}

static cudaError_t create_surface(enum cudaResourceType type, cudaArray_t array)
{
	cudaSurfaceObject_t object;
	struct cudaResourceDesc resource = {.resType = type};
	resource.res.array.array = array;
	return cudaCreateSurfaceObject(&object, &resource);
}

TEST(surfaces_are_of_arrays_and_are_told_again)
{
	const struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindUnsigned};
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray}, got = {0};
	cudaSurfaceObject_t first, second, third;
	void *device;
	cudaArray_t array;
	OK(cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore));
	resource.res.array.array = array;
	OK(cudaCreateSurfaceObject(&first, &resource), cudaCreateSurfaceObject(&second, &resource),
	   cudaCreateSurfaceObject(&third, &resource));
	CHECK(first != second && second != third);
	OK(cudaGetSurfaceObjectResourceDesc(&got, first));
	CHECK(got.resType == cudaResourceTypeArray && got.res.array.array == array);
	ANSWERS(INVALID_VALUE, cudaCreateSurfaceObject(NULL, &resource),
	        cudaCreateSurfaceObject(&third, NULL), cudaGetSurfaceObjectResourceDesc(NULL, first),
	        cudaGetSurfaceObjectResourceDesc(&got, 12345));
	ANSWERS(INVALID_CHANNEL, create_surface(cudaResourceTypeLinear, NULL),
	        create_surface(cudaResourceTypePitch2D, NULL));
	ANSWERS(INVALID_HANDLE, create_surface(cudaResourceTypeArray, NULL),
	        create_surface(cudaResourceTypeMipmappedArray, NULL),
	        create_surface(cudaResourceTypeArray, (cudaArray_t)(uintptr_t)&plain));
	ANSWERS(cudaSuccess, cudaDestroySurfaceObject(12345));
	OK(cudaDestroySurfaceObject(first), cudaDestroySurfaceObject(first), cudaMalloc(&device, 4096));
	struct cudaResourceDesc linear = {.resType = cudaResourceTypeLinear};
	linear.res.linear.devPtr = device;
	linear.res.linear.desc = format;
	linear.res.linear.sizeInBytes = 256;
	ANSWERS(INVALID_VALUE, cudaCreateSurfaceObject(&third, &linear));
	ANSWERS(INVALID_VALUE, cudaGetSurfaceObjectResourceDesc(&got, first));
	OK(cudaDeviceReset()); /* with two left */
	ANSWERS(INVALID_VALUE, cudaGetSurfaceObjectResourceDesc(&got, second));
}

/* ---- references ------------------------------------------------------------------------------------------------------------- */

TEST(references_are_bound_to_memory_at_aligned_addresses)
{
	size_t offset = 99;
	char *device;
	OK(cudaMalloc((void **)&device, 4096));
	ANSWERS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &picture));
	GIVES(offset, 4, cudaBindTexture(&offset, &picture, device + 516, &floats, 64));
	GIVES(offset, 4, cudaGetTextureAlignmentOffset(&offset, &picture));
	OK(cudaBindTexture(NULL, &picture, device + 512, &floats, 64));
	GIVES(offset, 0, cudaGetTextureAlignmentOffset(&offset, &picture));
	ANSWERS(INVALID_VALUE, cudaGetTextureAlignmentOffset(NULL, &picture),
	        cudaBindTexture(NULL, &picture, device + 4, &floats, 64),
	        cudaBindTexture(&offset, &picture, NULL, &floats, 64),
	        cudaBindTexture(&offset, &picture, device, NULL, 64));
	ANSWERS(INVALID_TEXTURE, cudaGetTextureAlignmentOffset(&offset, (const void *)&plain),
	        cudaBindTexture(&offset, (const void *)&plain, device, &floats, 64),
	        cudaBindTexture(&offset, NULL, device, &floats, 64));
	/* The second module's reads bytes as fractions, which words cannot be. */
	OK(cudaBindTexture(NULL, &bytes_of, device, &bytes, 64));
	ANSWERS(cudaErrorInvalidNormSetting, cudaBindTexture(NULL, &bytes_of, device, &ints, 64));
	ANSWERS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &bytes_of));
	OK(cudaUnbindTexture(&picture));
	ANSWERS(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &picture));
	ANSWERS(INVALID_TEXTURE, cudaUnbindTexture((const void *)&plain));
	OK(cudaFree(device));
}

TEST(references_are_bound_to_pitched_memory_and_arrays)
{
	size_t offset;
	char *device;
	cudaArray_t array;
	OK(cudaMalloc((void **)&device, 8192),
	   cudaBindTexture2D(&offset, &picture, device, &floats, 16, 4, 512));
	ANSWERS(cudaErrorInvalidPitchValue,
	        cudaBindTexture2D(&offset, &picture, device, &floats, 16, 4, 520));
	ANSWERS(INVALID_VALUE, cudaBindTexture2D(&offset, &picture, device, NULL, 16, 4, 512),
	        cudaBindTexture2D(&offset, &picture, NULL, &floats, 16, 4, 512));
	OK(cudaMallocArray(&array, &floats, 16, 4, 0), cudaBindTextureToArray(&picture, array, &floats),
	   cudaBindTextureToArray(&picture, array, NULL));
	struct cudaChannelFormatDesc formats[] = {floats, floats, floats, floats, floats};
	formats[0].x = 16;
	formats[1].y = 32;
	formats[2].z = 32;
	formats[3].w = 32;
	formats[4].f = cudaChannelFormatKindSigned;
	for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
		ANSWERS(INVALID_CHANNEL, cudaBindTextureToArray(&picture, array, &formats[i]));
	OK(cudaFreeArray(array));
	ANSWERS(INVALID_HANDLE, cudaBindTextureToArray(&picture, array, &floats));
	OK(cudaUnbindTexture(&picture), cudaFree(device));
}

TEST(references_are_found_by_variable_and_by_name)
{
	const struct textureReference *found = NULL;
	OK(cudaGetTextureReference(&found, &picture));
	CHECK(found == &picture);
	OK(cudaGetTextureReference(&found, "absent"));
	CHECK(found == &absent);
	ANSWERS(cudaErrorDuplicateTextureName, cudaGetTextureReference(&found, "twice"));
	ANSWERS(INVALID_TEXTURE, cudaGetTextureReference(&found, "nothing of that name"));
	ANSWERS(INVALID_VALUE, cudaGetTextureReference(NULL, &picture),
	        cudaGetTextureReference(&found, NULL));
}

static int bind_what_is_lost(void)
{
	void *device;
	EXPECT(cudaSuccess, cudaMalloc(&device, 4096));
	EXPECT(INVALID_TEXTURE, cudaBindTexture(NULL, &absent, device, &floats, 64),
	       cudaBindTexture(NULL, &number, device, &floats, 64));
	EXPECT(cudaErrorInvalidPtx, cudaBindTexture(NULL, &lost, device, &floats, 64),
	       cudaUnbindTexture(&lost));
	return test_failures;
}

TEST(references_need_a_texture_in_the_device_code)
{
	CHECK_EQ(fixture_run(bind_what_is_lost), 0);
}

TESTS(true)
