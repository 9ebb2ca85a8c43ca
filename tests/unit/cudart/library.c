/* Functions of the driver by their names, and libraries with their kernels and variables. */
#include "table.h"

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
