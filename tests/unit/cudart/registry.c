/*
 * What programs register: modules that are no text, names, duplicates, modules that go; and what a launch is refused for.
 * Modules are registered by the tests themselves, so the first one sees a runtime that knows of nothing.
 */
#include "module.h"

#include "checks.h"

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
#define NOTHING(name) ".visible .entry " name "()\n{\n	ret;\n}\n"

static void add_kernel(void **module, const char *host, const char *name)
{
	__cudaRegisterFunction(module, host, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void add_variable(void **module, char *host, const char *name, size_t bytes)
{
	__cudaRegisterVar(module, host, NULL, name, 0, bytes, 0, 0);
}

static struct dim3 size(unsigned x, unsigned y, unsigned z)
{
	return (struct dim3){.x = x, .y = y, .z = z};
}

static cudaError_t launch(const void *kernel)
{
	return cudaLaunchKernel(kernel, size(1, 1, 1), size(1, 1, 1), NULL, 0, NULL);
}

/* ---- modules ------------------------------------------------------------------------------------------------ */

/* What has no target says nothing about the architecture that the program was compiled for. */
__attribute__((constructor)) static void add_odd_modules(void)
{
	module_add(NULL);
	module_add("// nothing\n");
}

TEST(nothing_is_known_before_it_is_registered)
{
	static char host;
	size_t bytes;
	ANSWERS(INVALID_FUNCTION, launch(&host), launch(NULL));
	ANSWERS(INVALID_SYMBOL, cudaGetSymbolSize(&bytes, &host), cudaGetSymbolSize(&bytes, "x"),
	        cudaGetSymbolSize(&bytes, NULL));
}

TEST(a_module_is_text_or_cannot_be_run)
{
	static char kernels[7];
	static const char code[] = "\x7f"
	                           "ELF",
	                  tab[] = "\t" HEAD NOTHING("k"), line[] = "\n" HEAD NOTHING("k"), high[] = "\xe9";
	const struct {
		const char *data;
		int magic, version;
		int want;
	} rows[] = {{code, WRAPPER_MAGIC, 1, cudaErrorInvalidKernelImage},
	            {NULL, WRAPPER_MAGIC, 1, cudaErrorInvalidKernelImage},
	            {high, WRAPPER_MAGIC, 1, cudaErrorInvalidKernelImage},
	            {tab, 1, 1, cudaErrorInvalidKernelImage},
	            {tab, WRAPPER_MAGIC, 2, cudaErrorInvalidKernelImage},
	            {tab, WRAPPER_MAGIC, 1, cudaSuccess},
	            {line, WRAPPER_MAGIC, 1, cudaSuccess}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		void **module = module_wrap(rows[i].data, rows[i].magic, rows[i].version);
		add_kernel(module, &kernels[i], "k");
		__cudaRegisterFatBinaryEnd(module);
		CHECK_EQ(seen(launch(&kernels[i])), rows[i].want);
		CHECK_EQ(seen(cudaDeviceSynchronize()), rows[i].want);
	}
	CHECK_EQ(__cudaInitModule(NULL), 1);
	__cudaRegisterSurface(NULL, NULL, NULL, "surface", 2, 0);
}

TEST(a_module_that_cannot_be_loaded_has_no_kernels_and_no_variables)
{
	static char kernel, variable;
	size_t bytes;
	cudaStream_t stream;
	cudaGraph_t graph;
	void **module = module_add(
	    HEAD
	    ".visible .global .align 4 .u32 x;\n.visible .entry broken()\n{\n	.rog .b32 %r<2>;\n	ret;\n}\n");
	add_kernel(module, &kernel, "broken");
	add_variable(module, &variable, "x", 4);
	OK(cudaStreamCreate(&stream), cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	ANSWERS(cudaErrorInvalidPtx,
	        cudaLaunchKernel(&kernel, size(1, 1, 1), size(1, 1, 1), NULL, 0, stream));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(stream, &graph));
	OK(cudaDeviceSynchronize()); /* nothing was launched */
	ANSWERS(cudaErrorInvalidPtx, cudaGetSymbolSize(&bytes, &variable));
	OK(cudaStreamDestroy(stream));
}

TEST(a_module_goes_and_another_takes_its_addresses)
{
	static char kernel, x;
	size_t bytes;
	void *address, **module = module_add(HEAD ".visible .global .align 4 .u32 gone;\n" NOTHING("k"));
	add_kernel(module, &kernel, "k");
	add_variable(module, &x, "gone", 4);
	OK(launch(&kernel), cudaGetSymbolSize(&bytes, "gone"), cudaGetSymbolAddress(&address, &x));
	__cudaUnregisterFatBinary(module);
	ANSWERS(INVALID_FUNCTION, launch(&kernel));
	ANSWERS(INVALID_SYMBOL, cudaGetSymbolSize(&bytes, &x), cudaGetSymbolSize(&bytes, "gone"));
	void **next = module_add(HEAD NOTHING("other"));
	add_kernel(next, &kernel, "other");
	OK(launch(&kernel));
	add_kernel(next, &kernel, "more"); /* the first one counts */
	OK(launch(&kernel));
}

/* ---- symbols -------------------------------------------------------------------------------------------------- */

TEST(variables_are_found_by_the_names_that_compilers_make_of_them)
{
	static char hosts[5];
	size_t bytes = 0;
	void **module =
	    module_add(HEAD ".global .align 4 .b8 _ZL5first[8];\n.global .align 4 .b8 _ZL6second__1a[12];\n"
	                    ".global .align 4 .b8 _ZL5thirdx[4];\n.visible .global .align 4 .u32 twice;\n");
	void **other = module_add(HEAD ".visible .global .align 4 .u32 twice;\n");
	add_variable(module, &hosts[0], "_ZL5first", 8);
	add_variable(module, &hosts[1], "_ZL6second__1a", 12);
	add_variable(module, &hosts[2], "_ZL5thirdx", 4);
	add_variable(module, &hosts[3], "twice", 4);
	add_variable(other, &hosts[4], "twice", 4);
	GIVES(bytes, 8, cudaGetSymbolSize(&bytes, "first"));
	GIVES(bytes, 12, cudaGetSymbolSize(&bytes, "second"));
	OK(cudaGetSymbolSize(&bytes, &hosts[4]));
	ANSWERS(INVALID_SYMBOL, cudaGetSymbolSize(&bytes, "third"), cudaGetSymbolSize(&bytes, "fifth"));
	ANSWERS(cudaErrorDuplicateVariableName, cudaGetSymbolSize(&bytes, "twice"));
}

TEST(what_the_text_does_not_have_is_not_there)
{
	static char function, variable, shared, kernel;
	size_t bytes;
	void **module = module_add(
	    HEAD ".visible .func helper()\n{\n	ret;\n}\n.shared .align 4 .u32 near;\n" NOTHING("k"));
	add_kernel(module, &function, "helper");
	add_kernel(module, &kernel, "k");
	add_variable(module, &variable, "absent", 4);
	add_variable(module, &shared, "near", 4);
	ANSWERS(INVALID_FUNCTION, launch(&function), launch(&variable));
	ANSWERS(INVALID_SYMBOL, cudaGetSymbolSize(&bytes, &variable), cudaGetSymbolSize(&bytes, &shared));
	OK(launch(&kernel), cudaDeviceReset());
}

TEST(there_is_room_for_many_symbols)
{
	static char hosts[1000];
	static char names[1000][8];
	void **module = module_add(HEAD NOTHING("k0") NOTHING("k999"));
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(names[i], sizeof names[i], "k%u", i);
		add_kernel(module, &hosts[i], names[i]);
	}
	ANSWERS(cudaSuccess, launch(&hosts[0]), launch(&hosts[999]));
	ANSWERS(INVALID_FUNCTION, launch(&hosts[500]));
}

TEST(files_that_need_one_another_are_loaded_as_one)
{
	static char ka, kb, kc, x;
	unsigned value = 0;
	void **a =
	    module_add(HEAD ".extern .global .align 4 .u32 x;\n.visible .entry ka()\n{\n\t.reg .b32 %r<2>;\n"
	                    "\tmov.u32 %r1, 5;\n\tst.global.u32 [x], %r1;\n\tret;\n}\n");
	void **b = module_add(HEAD ".visible .global .align 4 .u32 x = 3;\n" NOTHING("kb"));
	void **c = module_add(
	    HEAD ".extern .global .align 4 .u32 lost;\n.visible .entry kc()\n{\n\t.reg .b32 %r<2>;\n"
	         "\tld.global.u32 %r1, [lost];\n\tret;\n}\n");
	add_kernel(a, &ka, "ka");
	add_kernel(b, &kb, "kb");
	add_variable(b, &x, "x", 4);
	add_kernel(c, &kc, "kc");
	GIVES(value, 3, cudaMemcpyFromSymbol(&value, &x, 4, 0, cudaMemcpyDeviceToHost));
	OK(launch(&ka), launch(&kb));
	GIVES(value, 5, cudaMemcpyFromSymbol(&value, &x, 4, 0, cudaMemcpyDeviceToHost));
	ANSWERS(cudaErrorInvalidKernelImage, launch(&kc), cudaDeviceSynchronize());
	OK(cudaDeviceReset());
	GIVES(value, 3, cudaMemcpyFromSymbol(&value, &x, 4, 0, cudaMemcpyDeviceToHost));
}

TEST(what_several_files_define_cannot_be_loaded_for_a_file_that_needs_it)
{
	static char kernel;
	static const char first[] = HEAD ".visible .func both()\n{\n	ret;\n}\n";
	static const char second[] = HEAD ".extern .func other\n()\n;\n.visible .func both()\n"
	                                  "{\n	call.uni other;\n	ret;\n}\n";
	static const char text[] = HEAD ".extern .func both\n()\n;\n.visible .func other()\n{\n	ret;\n}\n"
	                                ".visible .entry k()\n{\n	call.uni both;\n	ret;\n}\n";
	void **module = module_add(text);
	module_add(first);
	module_add(second);
	add_kernel(module, &kernel, "k");
	ANSWERS(cudaErrorInvalidPtx, launch(&kernel), cudaDeviceSynchronize());
}

TEST(managed_variables_lie_where_the_program_has_them)
{
	static unsigned section[4], outside, small[1];
	static char kernel;
	unsigned value = 0;
	__sluiceRegisterManaged(section, section + 4);
	__sluiceRegisterManaged(section, section + 4); /* every file of a program says it */
	__sluiceRegisterManaged(small, small + 1);
	void **module = module_add(
	    HEAD ".visible .global .align 4 .u32 shared_word;\n.visible .global .align 4 .u32 apart;\n"
	         ".visible .global .align 4 .b8 larger[64];\n.visible .entry k()\n{\n	.reg .b32 %r<2>;\n"
	         "	mov.u32 %r1, 77;\n	st.global.u32 [shared_word], %r1;\n	ret;\n}\n");
	add_kernel(module, &kernel, "k");
	add_variable(module, (char *)&section[1], "shared_word", 4);
	add_variable(module, (char *)&outside, "apart", 4);
	add_variable(module, (char *)small, "larger", 4);
	__cudaRegisterFatBinaryEnd(module);
	OK(launch(&kernel), cudaDeviceSynchronize());
	CHECK_EQ(section[1], 77);
	/* Memory that is registered already cannot be a variable as well. */
	OK(cudaHostRegister(&section[2], 4, 0));
	void **late = module_add(HEAD ".visible .global .align 4 .u32 taken;\n" NOTHING("k"));
	add_variable(late, (char *)&section[2], "taken", 4);
	__cudaRegisterFatBinaryEnd(late);
	value = 5;
	OK(cudaMemcpyToSymbol(&section[2], &value, 4, 0, cudaMemcpyHostToDevice));
	CHECK_EQ(section[2], 0);
	OK(cudaHostUnregister(&section[2]));
	struct cudaPointerAttributes attributes;
	GIVES(attributes.type, cudaMemoryTypeManaged, cudaPointerGetAttributes(&attributes, &section[1]));
	GIVES(value, 77, cudaMemcpyFromSymbol(&value, &section[1], 4, 0, cudaMemcpyDefault));
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

TEST(a_grid_is_as_large_as_the_properties_say)
{
	static char kernel;
	add_kernel(module_add(HEAD NOTHING("k")), &kernel, "k");
	const cudaError_t shape = INVALID_CONFIGURATION;
	const struct dim3 one = size(1, 1, 1);
	const struct {
		struct dim3 grid, block;
		int want;
	} rows[] = {{one, size(1, 1, 1), cudaSuccess},  {size(0, 1, 1), one, shape},
	            {size(1, 0, 1), one, shape},        {size(1, 1, 0), one, shape},
	            {size(1u << 31, 1, 1), one, shape}, {size(1, 65536, 1), one, shape},
	            {size(1, 1, 65536), one, shape},    {one, size(0, 1, 1), shape},
	            {one, size(1025, 1, 1), shape},     {one, size(1, 1025, 1), shape},
	            {one, size(1, 1, 65), shape},       {one, size(1024, 1, 1), cudaSuccess},
	            {one, size(32, 33, 1), shape},      {one, size(16, 16, 4), cudaSuccess}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_EQ(seen(cudaLaunchKernel(&kernel, rows[i].grid, rows[i].block, NULL, 0, NULL)),
		         rows[i].want);
}

static cudaError_t launch_clusters(const void *kernel, struct dim3 grid, struct dim3 cluster)
{
	cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeClusterDimension};
	attribute.val.clusterDim.x = cluster.x;
	attribute.val.clusterDim.y = cluster.y;
	attribute.val.clusterDim.z = cluster.z;
	cudaLaunchConfig_t config = {
	    .gridDim = grid, .blockDim = size(32, 1, 1), .attrs = &attribute, .numAttrs = 1};
	return cudaLaunchKernelExC(&config, kernel, NULL);
}

TEST(a_grid_is_whole_clusters)
{
	static char kernel, pairs;
	static const char text[] = HEAD NOTHING("k") ".visible .entry pairs()\n"
	                                             ".reqnctapercluster 2, 1, 1\n{\n	ret;\n}\n";
	void **module = module_add(text);
	add_kernel(module, &kernel, "k");
	add_kernel(module, &pairs, "pairs");
	const cudaError_t wrong = INVALID_CLUSTER;
	const struct dim3 grid = size(16, 4, 4);
	ANSWERS(cudaSuccess, launch_clusters(&kernel, grid, size(4, 2, 1)),
	        launch_clusters(&kernel, grid, size(0, 0, 0)), launch_clusters(&pairs, grid, size(2, 1, 1)),
	        launch_clusters(&pairs, grid, size(0, 0, 0)));
	ANSWERS(wrong, launch_clusters(&kernel, grid, size(2, 0, 1)),
	        launch_clusters(&kernel, grid, size(2, 1, 0)), launch_clusters(&kernel, grid, size(3, 1, 1)),
	        launch_clusters(&kernel, grid, size(1, 3, 1)), launch_clusters(&kernel, grid, size(1, 1, 3)),
	        launch_clusters(&kernel, grid, size(16, 1, 1)), launch_clusters(&pairs, grid, size(4, 1, 1)),
	        launch_clusters(&pairs, grid, size(2, 2, 1)), launch_clusters(&pairs, grid, size(2, 1, 2)),
	        launch_clusters(&pairs, size(3, 1, 1), size(0, 0, 0)));
	OK(cudaFuncSetAttribute(&kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
	   launch_clusters(&kernel, grid, size(16, 1, 1)));
}

TEST(the_old_launch_takes_arguments_one_after_the_other)
{
	static char kernel, plain, large;
	const struct dim3 one = size(1, 1, 1);
	unsigned value = 1;
	void **module = module_add(HEAD NOTHING(
	    "plain") ".visible .entry k(.param .u32 k_param_0)\n{\n	ret;\n}\n"
	             ".visible .entry large(.param .align 4 .b8 large_param_0[4100])\n{\n	ret;\n}\n");
	add_kernel(module, &kernel, "k");
	add_kernel(module, &plain, "plain");
	add_kernel(module, &large, "large");
	ANSWERS(cudaErrorMissingConfiguration, cudaSetupArgument(&value, 4, 0));
	for (unsigned depth = 0; depth < 9; depth++) /* arguments may hold launches of their own */
		OK(cudaConfigureCall(one, one, 0, NULL));
	ANSWERS(INVALID_VALUE, cudaSetupArgument(NULL, 4, 0), cudaSetupArgument(&value, 4, 4097),
	        cudaSetupArgument(&value, 4, 4093));
	ANSWERS(cudaSuccess, cudaSetupArgument(&value, 4, 4092));
	OK(cudaSetupArgument(&value, 4, 0), cudaLaunch(&kernel));
	ANSWERS(INVALID_VALUE, cudaLaunch(&kernel)); /* its argument is missing */
	OK(cudaLaunch(&plain), cudaSetupArgument(&value, 4, 0));
	ANSWERS(INVALID_VALUE, cudaLaunch(&large));
	ANSWERS(INVALID_FUNCTION, cudaLaunch(&value));
	for (unsigned depth = 0; depth < 4; depth++)
		OK(cudaLaunch(&plain));
	ANSWERS(cudaErrorMissingConfiguration, cudaLaunch(&plain));
	ANSWERS(INVALID_VALUE, launch(&kernel));
}

TEST(grids_launch_grids_to_a_depth)
{
	static char kernel, answer, count;
	unsigned values[2] = {0, 0};
	void **module = module_add(
	    HEAD
	    ".visible .global .align 4 .u32 count;\n.visible .global .align 4 .u32 answer;\n"
	    ".extern .func (.param .b32 r) __sluice_device_launch\n(\n	.param .b64 a, .param .b64 b, .param .b32 c, .param .b32 d,\n"
	    "	.param .b32 e, .param .b32 f, .param .b32 g, .param .b32 h, .param .b32 i, .param .b64 j\n)\n;\n"
	    ".visible .entry deeper()\n{\n	.reg .b32 %r<6>;\n	.reg .b64 %rd<4>;\n"
	    "	atom.global.add.u32 %r1, [count], 1;\n	mov.u64 %rd1, deeper;\n	mov.u64 %rd2, 0;\n	mov.u32 %r2, 1;\n	mov.u32 %r3, 0;\n"
	    "	{\n	.param .b64 p0;\n	st.param.b64 [p0], %rd1;\n	.param .b64 p1;\n	st.param.b64 [p1], %rd2;\n"
	    "	.param .b32 p2;\n	st.param.b32 [p2], %r2;\n	.param .b32 p3;\n	st.param.b32 [p3], %r2;\n"
	    "	.param .b32 p4;\n	st.param.b32 [p4], %r2;\n	.param .b32 p5;\n	st.param.b32 [p5], %r2;\n"
	    "	.param .b32 p6;\n	st.param.b32 [p6], %r2;\n	.param .b32 p7;\n	st.param.b32 [p7], %r2;\n"
	    "	.param .b32 p8;\n	st.param.b32 [p8], %r3;\n	.param .b64 p9;\n	st.param.b64 [p9], %rd2;\n	.param .b32 q;\n"
	    "	call.uni (q), __sluice_device_launch, (p0, p1, p2, p3, p4, p5, p6, p7, p8, p9);\n	ld.param.b32 %r4, [q];\n	}\n"
	    "	st.global.u32 [answer], %r4;\n	ret;\n}\n");
	add_kernel(module, &kernel, "deeper");
	add_variable(module, &answer, "answer", 4);
	add_variable(module, &count, "count", 4);
	OK(launch(&kernel), cudaDeviceSynchronize(),
	   cudaMemcpyFromSymbol(&values[0], &count, 4, 0, cudaMemcpyDeviceToHost),
	   cudaMemcpyFromSymbol(&values[1], &answer, 4, 0, cudaMemcpyDeviceToHost));
	CHECK_EQ(values[0], 25); /* the grid that the host launched, and 24 below it */
	CHECK_EQ(values[1], cudaErrorLaunchMaxDepthExceeded);
}

/* ---- graphs and textures ---------------------------------------------------------------------------------------- */

TEST(a_graph_outlives_the_module_of_its_kernels)
{
	static char kernel;
	cudaGraph_t graph;
	cudaGraphExec_t before, after;
	cudaGraphNode_t node;
	unsigned value = 1;
	void *args[] = {&value};
	void **module = module_add(HEAD ".visible .entry k(.param .u32 k_param_0)\n{\n	ret;\n}\n");
	add_kernel(module, &kernel, "k");
	struct cudaKernelNodeParams params = {
	    .func = &kernel, .gridDim = size(1, 1, 1), .blockDim = size(1, 1, 1), .kernelParams = args};
	OK(cudaGraphCreate(&graph, 0), cudaGraphAddKernelNode(&node, graph, NULL, 0, &params),
	   cudaGraphInstantiate(&before, graph, 0), cudaGraphLaunch(before, NULL));
	__cudaUnregisterFatBinary(module);
	OK(cudaGraphInstantiate(&after, graph, 0));
	ANSWERS(INVALID_FUNCTION, cudaGraphLaunch(before, NULL), cudaGraphLaunch(after, NULL),
	        cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
	OK(cudaDeviceReset());
}

TEST(a_texture_is_bound_until_the_reset)
{
	static struct textureReference texture, lost, broken, odd;
	static const struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
	void *device;
	size_t offset = 9;
	void **module =
	    module_add(HEAD ".global .texref seen;\n.global .surfref painted;\n.global .samplerref how;\n"
	                    ".visible .global .align 4 .u32 plain;\n" NOTHING("k"));
	void **wrong = module_add(HEAD ".global .texref seen;\n.rog;\n");
	texture.channelDesc = lost.channelDesc = broken.channelDesc = odd.channelDesc = format;
	__cudaRegisterTexture(module, &texture, NULL, "seen", 1, 0, 0);
	__cudaRegisterTexture(module, &lost, NULL, "unseen", 1, 0, 0);
	__cudaRegisterTexture(module, &odd, NULL, "plain", 1, 0, 0);
	__cudaRegisterTexture(wrong, &broken, NULL, "seen", 1, 0, 0);
	OK(cudaMalloc(&device, 64));
	GIVES(offset, 0, cudaBindTexture(&offset, &texture, device, &format, 64));
	ANSWERS(INVALID_TEXTURE, cudaBindTexture(&offset, NULL, device, &format, 64),
	        cudaBindTexture(&offset, &lost, device, &format, 64),
	        cudaBindTexture(&offset, &odd, device, &format, 64));
	ANSWERS(cudaErrorInvalidPtx, cudaBindTexture(&offset, &broken, device, &format, 64));
	OK(cudaGetTextureAlignmentOffset(&offset, &texture), cudaDeviceReset());
	CHECK(seen(cudaGetTextureAlignmentOffset(&offset, &texture)) != cudaSuccess);
}

TESTS(true)
