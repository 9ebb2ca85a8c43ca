/* Arrays and copies of boxes: every limit of an array, every way in which a copy can leave what it is between. */
#include "table.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 3, ROW_BYTES = WIDTH * (int)sizeof(float) };

static const struct cudaChannelFormatDesc one_float = {.x = 32, .f = cudaChannelFormatKindFloat};
static const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost,
                                 within = cudaMemcpyDeviceToDevice, no_kind = (enum cudaMemcpyKind)5;
static float host[DEPTH][HEIGHT][WIDTH];

/* ---- making ----------------------------------------------------------------------------------------------- */

static cudaError_t make(int x, int y, int z, int w, enum cudaChannelFormatKind kind)
{
	cudaArray_t array = NULL;
	struct cudaChannelFormatDesc format = {x, y, z, w, kind};
	cudaError_t result = cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0);
	cudaFreeArray(array);
	return result;
}

TEST(texels_have_one_two_or_four_equal_channels)
{
	const enum cudaChannelFormatKind number = cudaChannelFormatKindUnsigned,
	                                 real = cudaChannelFormatKindFloat;
	ANSWERS(ROW(cudaSuccess, make(8, 0, 0, 0, number)), ROW(cudaSuccess, make(16, 16, 16, 16, number)),
	        ROW(cudaSuccess, make(16, 16, 0, 0, real)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(0, 0, 0, 0, number)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(8, 8, 8, 0, number)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(32, 16, 0, 0, number)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(32, 0, 32, 0, number)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(24, 0, 0, 0, number)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(8, 0, 0, 0, real)),
	        ROW(cudaErrorInvalidChannelDescriptor, make(32, 0, 0, 0, cudaChannelFormatKindNone)));
}

static cudaError_t make_box(long long width, long long height, long long depth, unsigned flags)
{
	cudaArray_t array = NULL;
	const struct cudaChannelFormatDesc byte = {.x = 8, .f = cudaChannelFormatKindUnsigned};
	struct cudaExtent extent = {(size_t)width, (size_t)height, (size_t)depth};
	cudaError_t result = cudaMalloc3DArray(&array, &byte, extent, flags);
	cudaFreeArray(array);
	return result;
}

TEST(arrays_are_as_large_as_the_properties_say)
{
	const unsigned layers = cudaArrayLayered, cube = cudaArrayCubemap, cubes = layers | cube;
	const cudaError_t bad = cudaErrorInvalidValue;
	struct cudaDeviceProp p;
	OK(cudaGetDeviceProperties(&p, 0));
	const int *box = p.maxTexture3D, *flat = p.maxTexture2D, *sheets = p.maxTexture2DLayered;
	const int *rows = p.maxTexture1DLayered, *many = p.maxTextureCubemapLayered;
	ANSWERS(
	    ROW(bad, make_box(0, 1, 1, 0)), ROW(cudaSuccess, make_box(p.maxTexture1D, 0, 0, 0)),
	    ROW(bad, make_box(p.maxTexture1D + 1, 0, 0, 0)), ROW(bad, make_box(1, 0, 1, 0)),
	    ROW(cudaSuccess, make_box(flat[0], 1, 0, 0)), ROW(bad, make_box(flat[0] + 1, 1, 0, 0)),
	    ROW(cudaSuccess, make_box(1, flat[1], 0, 0)), ROW(bad, make_box(1, flat[1] + 1, 0, 0)),
	    ROW(cudaSuccess, make_box(box[0], 1, 1, 0)), ROW(bad, make_box(box[0] + 1, 1, 1, 0)),
	    ROW(bad, make_box(1, box[1] + 1, 1, 0)), ROW(cudaSuccess, make_box(1, 1, box[2], 0)),
	    ROW(bad, make_box(1, 1, box[2] + 1, 0)), ROW(bad, make_box(1, 0, 0, layers)),
	    ROW(cudaSuccess, make_box(rows[0], 0, 1, layers)), ROW(bad, make_box(rows[0] + 1, 0, 1, layers)),
	    ROW(cudaSuccess, make_box(1, 0, rows[1], layers)), ROW(bad, make_box(1, 0, rows[1] + 1, layers)),
	    ROW(bad, make_box(1, 1, 0, layers)), ROW(bad, make_box(sheets[0] + 1, 1, 1, layers)),
	    ROW(bad, make_box(1, sheets[1] + 1, 1, layers)),
	    ROW(cudaSuccess, make_box(1, 1, sheets[2], layers)),
	    ROW(bad, make_box(1, 1, sheets[2] + 1, layers)), ROW(cudaSuccess, make_box(4, 4, 6, cube)),
	    ROW(bad, make_box(4, 4, 5, cube)), ROW(bad, make_box(4, 5, 6, cube)),
	    ROW(bad, make_box(p.maxTextureCubemap + 1, p.maxTextureCubemap + 1, 6, cube)),
	    ROW(cudaSuccess, make_box(4, 4, 12, cubes)), ROW(bad, make_box(4, 4, 7, cubes)),
	    ROW(bad, make_box(4, 4, 0, cubes)), ROW(bad, make_box(4, 4, 6 * (many[1] + 1), cubes)),
	    ROW(bad, make_box(many[0] + 1, many[0] + 1, 6, cubes)),
	    ROW(cudaErrorNotSupported, make_box(4, 4, 0, cudaArrayColorAttachment)));
}

TEST(an_array_takes_its_share_of_the_devices_memory)
{
	struct cudaDeviceProp p;
	cudaArray_t array = NULL;
	const struct cudaChannelFormatDesc four = {32, 32, 32, 32, cudaChannelFormatKindFloat};
	OK(cudaGetDeviceProperties(&p, 0));
	size_t slice = 16384ul * 16384 * 16;
	struct cudaExtent all = {16384, 16384, 16384}, more = {16384, 16384, p.totalGlobalMem / slice + 1};
	ANSWERS(ROW(cudaErrorMemoryAllocation, cudaMalloc3DArray(&array, &four, all, 0)),
	        ROW(cudaErrorMemoryAllocation, cudaMalloc3DArray(&array, &four, more, 0)));
	more.depth -= 2;
	OK(cudaMalloc3DArray(&array, &four, more, 0));
	size_t left, total;
	OK(cudaMemGetInfo(&left, &total));
	CHECK(left < 2 * slice);
	void *rest = NULL;
	FAILS(cudaMalloc(&rest, 2 * slice), cudaErrorMemoryAllocation);
	OK(cudaFreeArray(array));
}

TEST(an_array_tells_what_it_was_made_of)
{
	cudaArray_t array;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent = {WIDTH, HEIGHT, DEPTH}, got;
	unsigned flags;
	OK(cudaMalloc3DArray(&array, &one_float, extent, cudaArraySurfaceLoadStore));
	OK(cudaArrayGetInfo(&format, &got, &flags, array));
	CHECK(format.x == 32 && got.width == WIDTH && got.depth == DEPTH &&
	      flags == cudaArraySurfaceLoadStore);
	OK(cudaArrayGetInfo(NULL, NULL, NULL, array));
	OK(cudaGetChannelDesc(&format, array));
	ANSWERS(ROW(cudaErrorInvalidValue, cudaGetChannelDesc(NULL, array)),
	        ROW(cudaErrorInvalidResourceHandle, cudaGetChannelDesc(&format, no_handle())),
	        ROW(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(&format, &got, &flags, no_handle())),
	        ROW(cudaErrorInvalidValue, cudaMallocArray(NULL, &one_float, 1, 1, 0)),
	        ROW(cudaErrorInvalidValue, cudaMallocArray(&array, NULL, 1, 1, 0)),
	        ROW(cudaErrorInvalidValue, cudaFreeArray(no_handle())),
	        ROW(cudaSuccess, cudaFreeArray(NULL)));
	OK(cudaFreeArray(array));
}

/* ---- between an array and plain memory -------------------------------------------------------------------- */

static cudaArray_t new_array(size_t height, size_t depth)
{
	cudaArray_t array = NULL;
	cudaMalloc3DArray(&array, &one_float, (struct cudaExtent){WIDTH, height, depth}, 0);
	for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
		host[i / (HEIGHT * WIDTH)][i / WIDTH % HEIGHT][i % WIDTH] = (float)i;
	return array;
}

TEST(a_run_goes_on_from_row_to_row)
{
	float back[HEIGHT * WIDTH] = {0};
	cudaArray_t array = new_array(HEIGHT, 0), line = new_array(0, 0);
	OK(cudaMemcpyToArrayAsync(array, 4, 1, host, 2 * ROW_BYTES, in, NULL));
	OK(cudaMemcpyFromArrayAsync(back, array, 0, 1, 3 * ROW_BYTES, out, NULL));
	CHECK(back[0] == 0 && back[1] == 0 && back[2] == 1 && back[2 * WIDTH] == 2 * WIDTH - 1 &&
	      back[2 * WIDTH + 1] == 0);
	const cudaError_t bad = cudaErrorInvalidValue, none = cudaErrorInvalidResourceHandle;
	ANSWERS(ROW(none, cudaMemcpyToArray(no_handle(), 0, 0, host, 4, in)),
	        ROW(none, cudaMemcpyFromArray(back, no_handle(), 0, 0, 4, out)),
	        ROW(bad, cudaMemcpyToArray(array, ROW_BYTES, 0, host, 4, in)),
	        ROW(bad, cudaMemcpyToArray(array, 0, HEIGHT, host, 4, in)),
	        ROW(bad, cudaMemcpyToArray(array, 4, HEIGHT - 1, host, ROW_BYTES, in)),
	        ROW(bad, cudaMemcpyToArray(array, 0, 0, NULL, 4, in)),
	        ROW(bad, cudaMemcpyToArray(line, 0, 0, host, ROW_BYTES + 1, in)),
	        ROW(cudaSuccess, cudaMemcpyToArray(line, 0, 0, host, ROW_BYTES, in)),
	        ROW(cudaSuccess, cudaMemcpyToArray(array, 0, HEIGHT, host, 0, in)),
	        ROW(cudaSuccess, cudaMemcpyToArray(array, 0, 0, host, 0, in)),
	        ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArray(array, 0, 0, host, 4, no_kind)),
	        ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromArray(back, array, 0, 0, 4, no_kind)),
	        ROW(none, cudaMemcpyToArrayAsync(array, 0, 0, host, 4, in, no_handle())),
	        ROW(none, cudaMemcpyFromArrayAsync(back, array, 0, 0, 4, out, no_handle())));
	OK(cudaFreeArray(array));
	OK(cudaFreeArray(line));
}

TEST(a_rectangle_lies_inside_its_array)
{
	float back[HEIGHT][WIDTH] = {{0}};
	cudaArray_t array = new_array(HEIGHT, 0), line = new_array(0, 0);
	OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, ROW_BYTES, ROW_BYTES, HEIGHT, in, NULL));
	OK(cudaMemcpy2DFromArrayAsync(back, ROW_BYTES, array, 4, 1, ROW_BYTES - 4, 2, out, NULL));
	CHECK(back[0][0] == host[0][1][1] && back[1][6] == host[0][2][7] && back[1][7] == 0);
	const cudaError_t bad = cudaErrorInvalidValue, none = cudaErrorInvalidResourceHandle;
	ANSWERS(
	    ROW(none, cudaMemcpy2DToArray(no_handle(), 0, 0, host, 4, 4, 1, in)),
	    ROW(bad, cudaMemcpy2DToArray(array, ROW_BYTES + 1, 0, host, 4, 0, 1, in)),
	    ROW(bad, cudaMemcpy2DToArray(array, 4, 0, host, ROW_BYTES, ROW_BYTES, 1, in)),
	    ROW(bad, cudaMemcpy2DToArray(array, 0, HEIGHT + 1, host, 4, 4, 0, in)),
	    ROW(bad, cudaMemcpy2DToArray(array, 0, 1, host, 4, 4, HEIGHT, in)),
	    ROW(bad, cudaMemcpy2DToArray(line, 0, 0, host, 4, 4, 2, in)),
	    ROW(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(array, 0, 0, host, 4, 8, 2, in)),
	    ROW(cudaSuccess, cudaMemcpy2DToArray(array, 0, 0, host, 4, 8, 1, in)),
	    ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DToArray(array, 0, 0, host, 4, 4, 1, no_kind)),
	    ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DFromArray(back, 4, array, 0, 0, 4, 1, no_kind)),
	    ROW(none, cudaMemcpy2DToArrayAsync(array, 0, 0, host, 4, 4, 1, in, no_handle())),
	    ROW(none, cudaMemcpy2DFromArrayAsync(back, 4, array, 0, 0, 4, 1, out, no_handle())));
	OK(cudaFreeArray(array));
	OK(cudaFreeArray(line));
}

/* ---- boxes -------------------------------------------------------------------------------------------------- */

static struct cudaMemcpy3DParms into(cudaArray_t array)
{
	return (struct cudaMemcpy3DParms){.srcPtr = {host, ROW_BYTES, ROW_BYTES, HEIGHT},
	                                  .dstArray = array,
	                                  .extent = {WIDTH, HEIGHT, DEPTH},
	                                  .kind = in};
}

/* The same copy with one thing changed. */
static cudaError_t copy_with(cudaArray_t array, void (*change)(struct cudaMemcpy3DParms *))
{
	struct cudaMemcpy3DParms p = into(array);
	change(&p);
	return cudaMemcpy3D(&p);
}

static void from_nowhere(struct cudaMemcpy3DParms *p)
{
	p->srcPtr.ptr = NULL;
}

static void to_both(struct cudaMemcpy3DParms *p)
{
	p->dstPtr.ptr = host;
}

static void to_nothing(struct cudaMemcpy3DParms *p)
{
	p->dstArray = NULL;
}

static void to_no_array(struct cudaMemcpy3DParms *p)
{
	p->dstArray = no_handle();
}

static void from_no_array(struct cudaMemcpy3DParms *p)
{
	p->srcArray = no_handle();
}

static void too_far_x(struct cudaMemcpy3DParms *p)
{
	p->dstPos.x = 1;
}

static void beyond_x(struct cudaMemcpy3DParms *p)
{
	p->dstPos.x = WIDTH + 1;
	p->extent.width = 0;
}

static void too_far_y(struct cudaMemcpy3DParms *p)
{
	p->dstPos.y = 1;
}

static void too_far_z(struct cudaMemcpy3DParms *p)
{
	p->dstPos.z = 1;
}

static void slices_too_low(struct cudaMemcpy3DParms *p)
{
	p->srcPtr.ysize = HEIGHT - 1;
}

static void one_low_slice(struct cudaMemcpy3DParms *p)
{
	p->srcPtr.ysize = 0;
	p->extent.depth = 1;
}

static void of_no_kind(struct cudaMemcpy3DParms *p)
{
	p->kind = no_kind;
}

static void without_rows(struct cudaMemcpy3DParms *p)
{
	p->extent.height = 0;
}

static void without_slices(struct cudaMemcpy3DParms *p)
{
	p->extent.depth = 0;
}

TEST(a_box_lies_inside_both_of_its_sides)
{
	cudaArray_t array = new_array(HEIGHT, DEPTH);
	struct cudaMemcpy3DParms good = into(array);
	const cudaError_t bad = cudaErrorInvalidValue, none = cudaErrorInvalidResourceHandle;
	ANSWERS(ROW(bad, cudaMemcpy3D(NULL)), ROW(bad, copy_with(array, from_nowhere)),
	        ROW(bad, copy_with(array, to_both)), ROW(bad, copy_with(array, to_nothing)),
	        ROW(none, copy_with(array, to_no_array)), ROW(none, copy_with(array, from_no_array)),
	        ROW(bad, copy_with(array, too_far_x)), ROW(bad, copy_with(array, beyond_x)),
	        ROW(bad, copy_with(array, too_far_y)), ROW(bad, copy_with(array, too_far_z)),
	        ROW(bad, copy_with(array, slices_too_low)), ROW(cudaSuccess, copy_with(array, one_low_slice)),
	        ROW(cudaErrorInvalidMemcpyDirection, copy_with(array, of_no_kind)),
	        ROW(cudaSuccess, copy_with(array, without_rows)),
	        ROW(cudaSuccess, copy_with(array, without_slices)),
	        ROW(none, cudaMemcpy3DAsync(&good, no_handle())),
	        ROW(cudaSuccess, cudaMemcpy3DAsync(&good, NULL)));
	OK(cudaFreeArray(array));
}

TEST(boxes_go_from_array_to_array)
{
	struct cudaMemcpy3DPeerParms peer = {.extent = {WIDTH, HEIGHT, DEPTH}}, other;
	const struct cudaChannelFormatDesc two = {32, 32, 0, 0, cudaChannelFormatKindFloat};
	cudaArray_t from = new_array(HEIGHT, DEPTH), to = new_array(HEIGHT, DEPTH), wide,
	            flat = new_array(HEIGHT, 0);
	float back[HEIGHT][WIDTH];
	struct cudaMemcpy3DParms p = into(from), mixed = {.extent = {1, 1, 1}, .kind = within};
	OK(cudaMallocArray(&wide, &two, WIDTH, HEIGHT, 0));
	OK(cudaMemcpy3D(&p));
	peer.srcArray = from;
	peer.dstArray = to;
	OK(cudaMemcpy3DPeerAsync(&peer, NULL));
	OK(cudaMemcpy2DArrayToArray(flat, 4, 1, to, 8, 2, 8, 1, within));
	OK(cudaMemcpy2DFromArray(back, ROW_BYTES, flat, 0, 0, ROW_BYTES, HEIGHT, out));
	CHECK(back[1][1] == host[0][2][2] && back[1][2] == host[0][2][3]);
	other = peer;
	other.srcDevice = 1;
	peer.dstDevice = 1;
	mixed.srcArray = flat;
	mixed.dstArray = wide;
	const cudaError_t bad = cudaErrorInvalidValue;
	ANSWERS(
	    ROW(bad, cudaMemcpy3DPeer(NULL)), ROW(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer)),
	    ROW(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&other)),
	    ROW(cudaErrorInvalidResourceHandle, cudaMemcpy3DPeerAsync(&peer, no_handle())),
	    ROW(bad, cudaMemcpy3D(&mixed)),
	    ROW(bad, cudaMemcpy2DArrayToArray(flat, 0, 0, no_handle(), 0, 0, 4, 1, within)),
	    ROW(cudaErrorInvalidResourceHandle,
	        cudaMemcpy2DArrayToArray(no_handle(), 0, 0, to, 0, 0, 4, 1, within)),
	    ROW(bad, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 3, 1, within)),
	    ROW(bad, cudaMemcpy2DArrayToArray(flat, 2, 0, to, 0, 0, 4, 1, within)),
	    ROW(bad, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 2, 0, 4, 1, within)),
	    ROW(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 4, 1, in)),
	    ROW(cudaSuccess, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 4, 1, cudaMemcpyDefault)));
	OK(cudaDeviceReset());
}

TEST_MAIN(TEST_ENTRY(texels_have_one_two_or_four_equal_channels)
              TEST_ENTRY(arrays_are_as_large_as_the_properties_say)
                  TEST_ENTRY(an_array_takes_its_share_of_the_devices_memory)
                      TEST_ENTRY(an_array_tells_what_it_was_made_of) TEST_ENTRY(a_run_goes_on_from_row_to_row)
                          TEST_ENTRY(a_rectangle_lies_inside_its_array)
                              TEST_ENTRY(a_box_lies_inside_both_of_its_sides)
                                  TEST_ENTRY(boxes_go_from_array_to_array))
