/* Texture objects, texture references and surface objects: what can be made of what, and what is refused how. */
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
		cudaError_t want;
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
	    {floats, {.filterMode = (enum cudaTextureFilterMode)2}, cudaErrorInvalidValue},
	    {floats, {.addressMode = {0, (enum cudaTextureAddressMode)4, 0}}, cudaErrorInvalidValue},
	    {floats, {.addressMode = {cudaAddressModeMirror}, .normalizedCoords = 1}, cudaSuccess},
	    {floats, {.addressMode = {cudaAddressModeBorder}}, cudaSuccess},
	    {odd, {.readMode = cudaReadModeElementType}, cudaErrorInvalidChannelDescriptor},
	    /* Left out: sRGB and borders of a colour. */
	    {bytes, {.sRGB = 1, .readMode = cudaReadModeNormalizedFloat}, cudaErrorNotSupported},
	    {floats, {.borderColor = {0, 0, 0, 1}}, cudaErrorNotSupported},
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
		cudaError_t want;
	} rows[] = {{device, 4096, cudaSuccess},
	            {device + 512, 1 << 20, cudaSuccess}, /* it ends with the allocation */
	            {device + 4, 64, cudaErrorInvalidValue},
	            {NULL, 64, cudaErrorInvalidValue},
	            {(void *)(uintptr_t)0x200, 64, cudaErrorInvalidValue}};
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
		cudaError_t want;
	} rows[] = {{16, 4, 512, cudaSuccess},
	            {128, 8, 512, cudaSuccess},
	            {16, 4, 520, cudaErrorInvalidValue},
	            /* From here on a GPU takes what it will read beside. */
	            {0, 4, 512, cudaErrorInvalidValue},
	            {16, 0, 512, cudaErrorInvalidValue},
	            {131073, 1, 1 << 20, cudaErrorInvalidValue},
	            {16, 65001, 512, cudaErrorInvalidValue},
	            {129, 4, 512, cudaErrorInvalidValue},
	            {16, 9, 512, cudaErrorInvalidValue},
	            {16, 65000, (size_t)1 << 63, cudaErrorInvalidValue}};
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
	OK(try_object(&freed, how));
	OK(cudaFree(device));
	CHECK_EQ(try_object(&freed, how), cudaErrorInvalidValue);
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
		OK(try_object(&resource, how));
		OK(cudaFreeArray(array));
	}
	CHECK_EQ(try_object(&resource, how), cudaErrorInvalidResourceHandle);
	resource.res.array.array = NULL;
	CHECK_EQ(try_object(&resource, how), cudaErrorInvalidResourceHandle);
	/* Left out: mip levels and views of arrays. */
	resource.resType = cudaResourceTypeMipmappedArray;
	CHECK_EQ(try_object(&resource, how), cudaErrorNotSupported);
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
	OK(cudaCreateTextureObject(&first, &resource, &how, NULL));
	OK(cudaCreateTextureObject(&second, &resource, &how, NULL));
	CHECK(first != second);
	OK(cudaGetTextureObjectResourceDesc(&got, first));
	CHECK(got.resType == cudaResourceTypeLinear && got.res.linear.devPtr == device &&
	      got.res.linear.sizeInBytes == 256);
	OK(cudaGetTextureObjectTextureDesc(&got_how, second));
	CHECK_EQ(got_how.addressMode[0], cudaAddressModeBorder);
	FAILS(cudaGetTextureObjectResourceDesc(NULL, first), cudaErrorInvalidValue);
	FAILS(cudaGetTextureObjectTextureDesc(NULL, first), cudaErrorInvalidValue);
	FAILS(cudaGetTextureObjectResourceDesc(&got, 12345), cudaErrorInvalidValue);
	FAILS(cudaGetTextureObjectTextureDesc(&got_how, 12345), cudaErrorInvalidValue);
	FAILS(cudaCreateTextureObject(NULL, &resource, &how, NULL), cudaErrorInvalidValue);
	FAILS(cudaCreateTextureObject(&none, NULL, &how, NULL), cudaErrorInvalidValue);
	FAILS(cudaCreateTextureObject(&none, &resource, NULL, NULL), cudaErrorInvalidValue);
	FAILS(cudaCreateTextureObject(&none, &resource, &how, &view), cudaErrorNotSupported);
	OK(cudaDestroyTextureObject(first));
	OK(cudaDestroyTextureObject(0));
	OK(cudaDestroyTextureObject(first));
	FAILS(cudaGetTextureObjectResourceDesc(&got, first), cudaErrorInvalidValue);
	OK(cudaDeviceReset());
	FAILS(cudaGetTextureObjectResourceDesc(&got, second), cudaErrorInvalidValue);
}

TEST(surfaces_are_made_of_arrays)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray}, got;
	cudaSurfaceObject_t first, second;
	cudaArray_t array;
	void *device;
	OK(cudaMallocArray(&array, &floats, 16, 8, cudaArraySurfaceLoadStore));
	OK(cudaMalloc(&device, 4096));
	resource.res.array.array = array;
	OK(cudaCreateSurfaceObject(&first, &resource));
	OK(cudaCreateSurfaceObject(&second, &resource));
	OK(cudaGetSurfaceObjectResourceDesc(&got, first));
	CHECK(got.res.array.array == array);
	FAILS(cudaGetSurfaceObjectResourceDesc(NULL, first), cudaErrorInvalidValue);
	FAILS(cudaGetSurfaceObjectResourceDesc(&got, 12345), cudaErrorInvalidValue);
	FAILS(cudaCreateSurfaceObject(NULL, &resource), cudaErrorInvalidValue);
	FAILS(cudaCreateSurfaceObject(&first, NULL), cudaErrorInvalidValue);
	OK(cudaDestroySurfaceObject(first));
	OK(cudaDestroySurfaceObject(first));
	resource = linear(device, floats, 256);
	FAILS(cudaCreateSurfaceObject(&first, &resource), cudaErrorInvalidValue);
	const struct {
		enum cudaResourceType type;
		cudaError_t want;
	} rows[] = {{cudaResourceTypeArray, cudaErrorInvalidResourceHandle},
	            {cudaResourceTypeMipmappedArray, cudaErrorInvalidResourceHandle},
	            {cudaResourceTypeLinear, cudaErrorInvalidChannelDescriptor},
	            {cudaResourceTypePitch2D, cudaErrorInvalidChannelDescriptor}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		resource = (struct cudaResourceDesc){.resType = rows[i].type};
		FAILS(cudaCreateSurfaceObject(&first, &resource), rows[i].want);
	}
	OK(cudaDeviceReset());
	FAILS(cudaGetSurfaceObjectResourceDesc(&got, second), cudaErrorInvalidValue);
}

/* ---- references ------------------------------------------------------------------------------------------------------------- */

TEST(references_are_bound_to_memory_at_aligned_addresses)
{
	size_t offset = 99;
	char *device;
	OK(cudaMalloc((void **)&device, 4096));
	FAILS(cudaGetTextureAlignmentOffset(&offset, &picture), cudaErrorInvalidTextureBinding);
	OK(cudaBindTexture(&offset, &picture, device + 516, &floats, 64));
	CHECK_EQ(offset, 4);
	OK(cudaGetTextureAlignmentOffset(&offset, &picture));
	CHECK_EQ(offset, 4);
	OK(cudaBindTexture(NULL, &picture, device + 512, &floats, 64));
	OK(cudaGetTextureAlignmentOffset(&offset, &picture));
	CHECK_EQ(offset, 0);
	FAILS(cudaGetTextureAlignmentOffset(NULL, &picture), cudaErrorInvalidValue);
	FAILS(cudaGetTextureAlignmentOffset(&offset, (const void *)&plain), cudaErrorInvalidTexture);
	FAILS(cudaBindTexture(NULL, &picture, device + 4, &floats, 64), cudaErrorInvalidValue);
	FAILS(cudaBindTexture(&offset, &picture, NULL, &floats, 64), cudaErrorInvalidValue);
	FAILS(cudaBindTexture(&offset, &picture, device, NULL, 64), cudaErrorInvalidValue);
	FAILS(cudaBindTexture(&offset, (const void *)&plain, device, &floats, 64), cudaErrorInvalidTexture);
	FAILS(cudaBindTexture(&offset, NULL, device, &floats, 64), cudaErrorInvalidTexture);
	/* The second module's reads bytes as fractions, which words cannot be. */
	OK(cudaBindTexture(NULL, &bytes_of, device, &bytes, 64));
	FAILS(cudaBindTexture(NULL, &bytes_of, device, &ints, 64), cudaErrorInvalidNormSetting);
	FAILS(cudaGetTextureAlignmentOffset(&offset, &bytes_of), cudaErrorInvalidTextureBinding);
	OK(cudaUnbindTexture(&picture));
	FAILS(cudaGetTextureAlignmentOffset(&offset, &picture), cudaErrorInvalidTextureBinding);
	FAILS(cudaUnbindTexture((const void *)&plain), cudaErrorInvalidTexture);
	OK(cudaFree(device));
}

TEST(references_are_bound_to_pitched_memory_and_arrays)
{
	size_t offset;
	char *device;
	cudaArray_t array;
	OK(cudaMalloc((void **)&device, 8192));
	OK(cudaBindTexture2D(&offset, &picture, device, &floats, 16, 4, 512));
	FAILS(cudaBindTexture2D(&offset, &picture, device, &floats, 16, 4, 520), cudaErrorInvalidPitchValue);
	FAILS(cudaBindTexture2D(&offset, &picture, device, NULL, 16, 4, 512), cudaErrorInvalidValue);
	FAILS(cudaBindTexture2D(&offset, &picture, NULL, &floats, 16, 4, 512), cudaErrorInvalidValue);
	OK(cudaMallocArray(&array, &floats, 16, 4, 0));
	OK(cudaBindTextureToArray(&picture, array, &floats));
	OK(cudaBindTextureToArray(&picture, array, NULL));
	struct cudaChannelFormatDesc formats[] = {floats, floats, floats, floats, floats};
	formats[0].x = 16;
	formats[1].y = 32;
	formats[2].z = 32;
	formats[3].w = 32;
	formats[4].f = cudaChannelFormatKindSigned;
	for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
		FAILS(cudaBindTextureToArray(&picture, array, &formats[i]),
		      cudaErrorInvalidChannelDescriptor);
	OK(cudaFreeArray(array));
	FAILS(cudaBindTextureToArray(&picture, array, &floats), cudaErrorInvalidResourceHandle);
	OK(cudaUnbindTexture(&picture));
	OK(cudaFree(device));
}

TEST(references_are_found_by_variable_and_by_name)
{
	const struct textureReference *found = NULL;
	OK(cudaGetTextureReference(&found, &picture));
	CHECK(found == &picture);
	OK(cudaGetTextureReference(&found, "absent"));
	CHECK(found == &absent);
	FAILS(cudaGetTextureReference(&found, "twice"), cudaErrorDuplicateTextureName);
	FAILS(cudaGetTextureReference(&found, "nothing of that name"), cudaErrorInvalidTexture);
	FAILS(cudaGetTextureReference(NULL, &picture), cudaErrorInvalidValue);
	FAILS(cudaGetTextureReference(&found, NULL), cudaErrorInvalidValue);
}

static int bind_what_is_lost(void)
{
	void *device;
	EXPECT(cudaMalloc(&device, 4096), cudaSuccess);
	EXPECT(cudaBindTexture(NULL, &absent, device, &floats, 64), cudaErrorInvalidTexture);
	EXPECT(cudaBindTexture(NULL, &number, device, &floats, 64), cudaErrorInvalidTexture);
	EXPECT(cudaBindTexture(NULL, &lost, device, &floats, 64), cudaErrorInvalidPtx);
	EXPECT(cudaUnbindTexture(&lost), cudaErrorInvalidPtx);
	return test_failures;
}

TEST(references_need_a_texture_in_the_device_code)
{
	CHECK_EQ(fixture_run(bind_what_is_lost), 0);
}

TEST_MAIN(TEST_ENTRY(how_texels_are_read_depends_on_their_format)
              TEST_ENTRY(linear_memory_must_be_an_aligned_allocation)
                  TEST_ENTRY(pitched_memory_must_hold_all_rows)
                      TEST_ENTRY(arrays_are_textures_of_their_dimensions)
                          TEST_ENTRY(objects_tell_what_they_were_made_of)
                              TEST_ENTRY(surfaces_are_made_of_arrays)
                                  TEST_ENTRY(references_are_bound_to_memory_at_aligned_addresses)
                                      TEST_ENTRY(references_are_bound_to_pitched_memory_and_arrays)
                                          TEST_ENTRY(references_are_found_by_variable_and_by_name)
                                              TEST_ENTRY(references_need_a_texture_in_the_device_code))
