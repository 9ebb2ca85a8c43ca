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
	ANSWERS(cudaSuccess, make(8, 0, 0, 0, number), make(16, 16, 16, 16, number),
	        make(16, 16, 0, 0, real));
	ANSWERS(INVALID_CHANNEL, make(0, 0, 0, 0, number), make(8, 8, 8, 0, number),
	        make(32, 16, 0, 0, number), make(32, 0, 32, 0, number), make(24, 0, 0, 0, number),
	        make(8, 0, 0, 0, real), make(32, 0, 0, 0, cudaChannelFormatKindNone));
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
	struct cudaDeviceProp p;
	OK(cudaGetDeviceProperties(&p, 0));
	const int *box = p.maxTexture3D, *flat = p.maxTexture2D, *sheets = p.maxTexture2DLayered;
	const int *rows = p.maxTexture1DLayered, *many = p.maxTextureCubemapLayered;
	ANSWERS(INVALID_VALUE, make_box(0, 1, 1, 0), make_box(p.maxTexture1D + 1, 0, 0, 0),
	        make_box(1, 0, 1, 0), make_box(flat[0] + 1, 1, 0, 0), make_box(1, flat[1] + 1, 0, 0),
	        make_box(box[0] + 1, 1, 1, 0), make_box(1, box[1] + 1, 1, 0), make_box(1, 1, box[2] + 1, 0),
	        make_box(1, 0, 0, layers), make_box(rows[0] + 1, 0, 1, layers),
	        make_box(1, 0, rows[1] + 1, layers), make_box(1, 1, 0, layers),
	        make_box(sheets[0] + 1, 1, 1, layers), make_box(1, sheets[1] + 1, 1, layers),
	        make_box(1, 1, sheets[2] + 1, layers), make_box(4, 4, 5, cube), make_box(4, 5, 6, cube),
	        make_box(p.maxTextureCubemap + 1, p.maxTextureCubemap + 1, 6, cube), make_box(4, 4, 7, cubes),
	        make_box(4, 4, 0, cubes), make_box(4, 4, 6 * (many[1] + 1), cubes),
	        make_box(many[0] + 1, many[0] + 1, 6, cubes));
	ANSWERS(cudaSuccess, make_box(p.maxTexture1D, 0, 0, 0), make_box(flat[0], 1, 0, 0),
	        make_box(1, flat[1], 0, 0), make_box(box[0], 1, 1, 0), make_box(1, 1, box[2], 0),
	        make_box(rows[0], 0, 1, layers), make_box(1, 0, rows[1], layers),
	        make_box(1, 1, sheets[2], layers), make_box(4, 4, 6, cube), make_box(4, 4, 12, cubes));
	ANSWERS(NOT_SUPPORTED, make_box(4, 4, 0, cudaArrayColorAttachment));
}

TEST(an_array_takes_its_share_of_the_devices_memory)
{
	struct cudaDeviceProp p;
	cudaArray_t array = NULL;
	const struct cudaChannelFormatDesc four = {32, 32, 32, 32, cudaChannelFormatKindFloat};
	OK(cudaGetDeviceProperties(&p, 0));
	size_t slice = 16384ul * 16384 * 16;
	struct cudaExtent all = {16384, 16384, 16384}, more = {16384, 16384, p.totalGlobalMem / slice + 1};
	ANSWERS(OUT_OF_MEMORY, cudaMalloc3DArray(&array, &four, all, 0),
	        cudaMalloc3DArray(&array, &four, more, 0));
	more.depth -= 2;
	OK(cudaMalloc3DArray(&array, &four, more, 0));
	size_t left, total;
	OK(cudaMemGetInfo(&left, &total));
	CHECK(left < 2 * slice);
	void *rest = NULL;
	ANSWERS(OUT_OF_MEMORY, cudaMalloc(&rest, 2 * slice));
	OK(cudaFreeArray(array));
}

TEST(an_array_tells_what_it_was_made_of)
{
	cudaArray_t array, other;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent = {WIDTH, HEIGHT, DEPTH}, got;
	unsigned flags;
	OK(cudaMalloc3DArray(&array, &one_float, extent, cudaArraySurfaceLoadStore),
	   cudaArrayGetInfo(&format, &got, &flags, array));
	CHECK(format.x == 32 && got.width == WIDTH && got.depth == DEPTH &&
	      flags == cudaArraySurfaceLoadStore);
	OK(cudaArrayGetInfo(NULL, NULL, NULL, array), cudaGetChannelDesc(&format, array));
	ANSWERS(INVALID_VALUE, cudaGetChannelDesc(NULL, array), cudaMallocArray(NULL, &one_float, 1, 1, 0),
	        cudaMallocArray(&array, NULL, 1, 1, 0), cudaFreeArray(no_handle()));
	ANSWERS(INVALID_HANDLE, cudaGetChannelDesc(&format, no_handle()),
	        cudaArrayGetInfo(&format, &got, &flags, no_handle()));
	ANSWERS(cudaSuccess, cudaFreeArray(NULL));
	ANSWERS(INVALID_VALUE, cudaMallocArray(&other, &one_float, WIDTH, HEIGHT, cudaArrayLayered));
	OK(cudaFreeArray(array));
	ANSWERS(INVALID_VALUE, cudaFreeArray(array));
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
	OK(cudaMemcpyToArrayAsync(array, 4, 1, host, 2 * ROW_BYTES, in, NULL),
	   cudaMemcpyFromArrayAsync(back, array, 0, 1, 3 * ROW_BYTES, out, NULL));
	CHECK(back[0] == 0 && back[1] == 0 && back[2] == 1 && back[2 * WIDTH] == 2 * WIDTH - 1 &&
	      back[2 * WIDTH + 1] == 0);
	ANSWERS(INVALID_HANDLE, cudaMemcpyToArray(no_handle(), 0, 0, host, 4, in),
	        cudaMemcpyFromArray(back, no_handle(), 0, 0, 4, out),
	        cudaMemcpyToArrayAsync(array, 0, 0, host, 4, in, no_handle()),
	        cudaMemcpyFromArrayAsync(back, array, 0, 0, 4, out, no_handle()));
	ANSWERS(INVALID_VALUE, cudaMemcpyToArray(array, ROW_BYTES, 0, host, 4, in),
	        cudaMemcpyToArray(array, 0, HEIGHT, host, 4, in),
	        cudaMemcpyToArray(array, 4, HEIGHT - 1, host, ROW_BYTES, in),
	        cudaMemcpyToArray(array, 0, 0, NULL, 4, in),
	        cudaMemcpyToArray(line, 0, 0, host, ROW_BYTES + 1, in));
	ANSWERS(cudaSuccess, cudaMemcpyToArray(line, 0, 0, host, ROW_BYTES, in),
	        cudaMemcpyToArray(array, 0, HEIGHT, host, 0, in),
	        cudaMemcpyToArray(array, 0, 0, host, 0, in));
	ANSWERS(INVALID_DIRECTION, cudaMemcpyToArray(array, 0, 0, host, 4, no_kind),
	        cudaMemcpyFromArray(back, array, 0, 0, 4, no_kind));
	OK(cudaFreeArray(array), cudaFreeArray(line));
}

TEST(a_rectangle_lies_inside_its_array)
{
	float back[HEIGHT][WIDTH] = {{0}};
	cudaArray_t array = new_array(HEIGHT, 0), line = new_array(0, 0);
	OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, ROW_BYTES, ROW_BYTES, HEIGHT, in, NULL),
	   cudaMemcpy2DFromArrayAsync(back, ROW_BYTES, array, 4, 1, ROW_BYTES - 4, 2, out, NULL));
	CHECK(back[0][0] == host[0][1][1] && back[1][6] == host[0][2][7] && back[1][7] == 0);
	ANSWERS(INVALID_HANDLE, cudaMemcpy2DToArray(no_handle(), 0, 0, host, 4, 4, 1, in),
	        cudaMemcpy2DToArrayAsync(array, 0, 0, host, 4, 4, 1, in, no_handle()),
	        cudaMemcpy2DFromArrayAsync(back, 4, array, 0, 0, 4, 1, out, no_handle()));
	ANSWERS(INVALID_VALUE, cudaMemcpy2DToArray(array, ROW_BYTES + 1, 0, host, 4, 0, 1, in),
	        cudaMemcpy2DToArray(array, 4, 0, host, ROW_BYTES, ROW_BYTES, 1, in),
	        cudaMemcpy2DToArray(array, 0, HEIGHT + 1, host, 4, 4, 0, in),
	        cudaMemcpy2DToArray(array, 0, 1, host, 4, 4, HEIGHT, in),
	        cudaMemcpy2DToArray(line, 0, 0, host, 4, 4, 2, in));
	ANSWERS(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(array, 0, 0, host, 4, 8, 2, in));
	ANSWERS(cudaSuccess, cudaMemcpy2DToArray(array, 0, 0, host, 4, 8, 1, in));
	ANSWERS(INVALID_DIRECTION, cudaMemcpy2DToArray(array, 0, 0, host, 4, 4, 1, no_kind),
	        cudaMemcpy2DFromArray(back, 4, array, 0, 0, 4, 1, no_kind));
	OK(cudaFreeArray(array), cudaFreeArray(line));
}

/* ---- boxes -------------------------------------------------------------------------------------------------- */

static struct cudaMemcpy3DParms into(cudaArray_t array)
{
	return (struct cudaMemcpy3DParms){.srcPtr = {host, ROW_BYTES, ROW_BYTES, HEIGHT},
	                                  .dstArray = array,
	                                  .extent = {WIDTH, HEIGHT, DEPTH},
	                                  .kind = in};
}

/* The same copy with something changed. */
#define WITH(...)                                                                                            \
	({                                                                                                   \
		struct cudaMemcpy3DParms p = into(array);                                                    \
		__VA_ARGS__;                                                                                 \
		cudaMemcpy3D(&p);                                                                            \
	})

TEST(a_box_lies_inside_both_of_its_sides)
{
	cudaArray_t array = new_array(HEIGHT, DEPTH);
	struct cudaMemcpy3DParms good = into(array);
	ANSWERS(INVALID_VALUE, cudaMemcpy3D(NULL), WITH(p.srcPtr.ptr = NULL), WITH(p.dstPtr.ptr = host),
	        WITH(p.dstArray = NULL), WITH(p.dstPos.x = 1),
	        WITH(p.dstPos.x = WIDTH + 1, p.extent.width = 0), WITH(p.dstPos.y = 1), WITH(p.dstPos.z = 1),
	        WITH(p.srcPtr.ysize = HEIGHT - 1));
	ANSWERS(INVALID_HANDLE, WITH(p.dstArray = no_handle()), WITH(p.srcArray = no_handle()),
	        cudaMemcpy3DAsync(&good, no_handle()));
	ANSWERS(cudaSuccess, WITH(p.srcPtr.ysize = 0, p.extent.depth = 1), WITH(p.extent.height = 0),
	        WITH(p.extent.depth = 0), cudaMemcpy3DAsync(&good, NULL));
	ANSWERS(INVALID_DIRECTION, WITH(p.kind = no_kind));
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
	OK(cudaMallocArray(&wide, &two, WIDTH, HEIGHT, 0), cudaMemcpy3D(&p));
	peer.srcArray = from;
	peer.dstArray = to;
	OK(cudaMemcpy3DPeerAsync(&peer, NULL), cudaMemcpy2DArrayToArray(flat, 4, 1, to, 8, 2, 8, 1, within),
	   cudaMemcpy2DFromArray(back, ROW_BYTES, flat, 0, 0, ROW_BYTES, HEIGHT, out));
	CHECK(back[1][1] == host[0][2][2] && back[1][2] == host[0][2][3]);
	other = peer;
	other.srcDevice = 1;
	peer.dstDevice = 1;
	mixed.srcArray = flat;
	mixed.dstArray = wide;
	ANSWERS(INVALID_VALUE, cudaMemcpy3DPeer(NULL), cudaMemcpy3D(&mixed),
	        cudaMemcpy2DArrayToArray(flat, 0, 0, no_handle(), 0, 0, 4, 1, within),
	        cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 3, 1, within),
	        cudaMemcpy2DArrayToArray(flat, 2, 0, to, 0, 0, 4, 1, within),
	        cudaMemcpy2DArrayToArray(flat, 0, 0, to, 2, 0, 4, 1, within));
	ANSWERS(INVALID_DEVICE, cudaMemcpy3DPeer(&peer), cudaMemcpy3DPeer(&other));
	ANSWERS(INVALID_HANDLE, cudaMemcpy3DPeerAsync(&peer, no_handle()),
	        cudaMemcpy2DArrayToArray(no_handle(), 0, 0, to, 0, 0, 4, 1, within));
	ANSWERS(INVALID_DIRECTION, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 4, 1, in));
	ANSWERS(cudaSuccess, cudaMemcpy2DArrayToArray(flat, 0, 0, to, 0, 0, 4, 1, cudaMemcpyDefault));
	OK(cudaDeviceReset());
}

TESTS(true)
