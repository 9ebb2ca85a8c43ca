/* Surface objects, and the functions that are found by their names. */
#include "table.h"

static cudaError_t create(enum cudaResourceType type, cudaArray_t array)
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
	ANSWERS(INVALID_CHANNEL, create(cudaResourceTypeLinear, NULL), create(cudaResourceTypePitch2D, NULL));
	ANSWERS(INVALID_HANDLE, create(cudaResourceTypeArray, NULL),
	        create(cudaResourceTypeMipmappedArray, NULL), create(cudaResourceTypeArray, no_handle()));
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

TEST(functions_of_the_driver_are_found_by_name)
{
	void *function = NULL;
	enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointVersionNotSufficent;
	OK(cudaGetDriverEntryPoint("cuInit", &function, 0, NULL));
	CHECK(function != NULL);
	GIVES(status, cudaDriverEntryPointSuccess,
	      cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 0, &status));
	OK(cudaGetDriverEntryPoint("cuNothing", &function, 0, &status));
	CHECK(!function && status == cudaDriverEntryPointSymbolNotFound);
	ANSWERS(NOT_FOUND, cudaGetDriverEntryPoint("cuNothing", &function, 0, NULL));
	ANSWERS(INVALID_VALUE, cudaGetDriverEntryPoint(NULL, &function, 0, NULL),
	        cudaGetDriverEntryPoint("", &function, 0, NULL),
	        cudaGetDriverEntryPoint("malloc", &function, 0, NULL),
	        cudaGetDriverEntryPoint("cuInit", NULL, 0, NULL));
}

TEST(libraries_give_their_kernels_and_variables)
{
	static const char text[] =
	    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 x[12];\n"
	    ".visible .entry k()\n{\n	ret;\n}\n";
	cudaLibrary_t library;
	cudaKernel_t kernel;
	void *address = NULL;
	size_t bytes = 0;
	unsigned count = 0;
	OK(cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0),
	   cudaLibraryGetKernel(&kernel, library, "k"));
	GIVES(count, 1, cudaLibraryGetKernelCount(&count, library));
	OK(cudaLibraryGetGlobal(&address, &bytes, library, "x"));
	CHECK(address && bytes == 12);
	OK(cudaLibraryGetGlobal(NULL, &bytes, library, "x"));
	ANSWERS(NOT_FOUND, cudaLibraryGetKernel(&kernel, library, "none"),
	        cudaLibraryGetGlobal(&address, &bytes, library, "none"));
	ANSWERS(cudaErrorFileNotFound,
	        cudaLibraryLoadFromFile(&library, "/nowhere.ptx", NULL, NULL, 0, NULL, NULL, 0));
	OK(cudaLibraryUnload(library));
}

TESTS(true)
