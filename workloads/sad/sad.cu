/*
 * Sums of absolute differences for motion estimation: every 16x16 macroblock of a frame against all positions up to 16
 * pixels away in a reference frame, for the seven block shapes from 4x4 to 16x16.
 * A CTA owns a macroblock, whose pixels it keeps in shared memory, and a thread the positions 64 apart; two more
 * kernels add small blocks up to larger ones.
 */
#include "../common/workload.h"

enum {
	EDGE = 16, /* of a macroblock, in pixels */
	RANGE = 16,
	SIDE = 2 * RANGE + 1,
	POSITIONS = SIDE * SIDE,
	THREADS = 64,
	SMALL = 16, /* 4x4 blocks of a macroblock */
	MERGED_8 = 8 + 8 + 4, /* 8x4, 4x8, 8x8 */
	MERGED_16 = 2 + 2 + 1, /* 16x8, 8x16, 16x16 */
	BLOCKS = SMALL + MERGED_8 + MERGED_16,
};

static struct workload_param param[] = {
	{"columns", "macroblocks of a row", 2, 6, 11, 1, 256},
	{"rows", "rows of macroblocks", 1, 5, 9, 1, 256},
};

/* sad[(macroblock * BLOCKS + block) * POSITIONS + position], blocks in the order of the enum. */
__device__ static size_t first_sad(int block)
{
	size_t macroblock = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
	return (macroblock * BLOCKS + block) * POSITIONS;
}

__device__ static int clamp_to(int at, int size)
{
	return min(max(at, 0), size - 1);
}

/* Pixels beyond the edge of the reference frame are those at the edge. */
__device__ static unsigned sad_4x4(const unsigned char *current, const unsigned char *frame, int x, int y, int width,
                                   int height)
{
	unsigned sum = 0;
	for (int row = 0; row < 4; row++) {
		const unsigned char *line = frame + clamp_to(y + row, height) * width;
		for (int column = 0; column < 4; column++)
			sum += abs(current[row * EDGE + column] - line[clamp_to(x + column, width)]);
	}
	return sum;
}

__global__ void match_4x4(const unsigned char *current, const unsigned char *frame, unsigned short *sad)
{
	__shared__ unsigned char own[EDGE * EDGE];
	int width = gridDim.x * EDGE, height = gridDim.y * EDGE;
	int left = blockIdx.x * EDGE, top = blockIdx.y * EDGE;
	for (int i = threadIdx.x; i < EDGE * EDGE; i += THREADS)
		own[i] = current[(top + i / EDGE) * width + left + i % EDGE];
	__syncthreads();
	for (int position = threadIdx.x; position < POSITIONS; position += THREADS) {
		int x = left + position % SIDE - RANGE, y = top + position / SIDE - RANGE;
#pragma unroll 1
		for (int block = 0; block < SMALL; block++) {
			int dx = block % 4 * 4, dy = block / 4 * 4;
			sad[first_sad(block) + position] =
				(unsigned short)sad_4x4(own + dy * EDGE + dx, frame, x + dx, y + dy, width, height);
		}
	}
}

/* From four quarters in reading order: two wide halves, two high ones, and the whole. */
__device__ static void merge(unsigned short *sad, int position, const int quarter[4], const int to[5])
{
	unsigned q[4];
	for (int i = 0; i < 4; i++)
		q[i] = sad[first_sad(quarter[i]) + position];
	sad[first_sad(to[0]) + position] = (unsigned short)(q[0] + q[1]);
	sad[first_sad(to[1]) + position] = (unsigned short)(q[2] + q[3]);
	sad[first_sad(to[2]) + position] = (unsigned short)(q[0] + q[2]);
	sad[first_sad(to[3]) + position] = (unsigned short)(q[1] + q[3]);
	sad[first_sad(to[4]) + position] = (unsigned short)(q[0] + q[1] + q[2] + q[3]);
}

__global__ void merge_to_8x8(unsigned short *sad)
{
	for (int position = threadIdx.x; position < POSITIONS; position += THREADS)
		for (int i = 0; i < 4; i++) {
			int from = i / 2 * 8 + i % 2 * 2;
			const int quarter[4] = {from, from + 1, from + 4, from + 5};
			const int to[5] = {SMALL + 2 * i, SMALL + 2 * i + 1, SMALL + 8 + 2 * i, SMALL + 9 + 2 * i, SMALL + 16 + i};
			merge(sad, position, quarter, to);
		}
}

__global__ void merge_to_16x16(unsigned short *sad)
{
	const int from = SMALL + 16, first = SMALL + MERGED_8;
	const int quarter[4] = {from, from + 1, from + 2, from + 3};
	const int to[5] = {first, first + 1, first + 2, first + 3, first + 4};
	for (int position = threadIdx.x; position < POSITIONS; position += THREADS)
		merge(sad, position, quarter, to);
}

/* Where a block lies in its macroblock. */
static void place_of(int block, int *x, int *y, int *wide, int *high)
{
	static const int size[7][2] = {{4, 4}, {8, 4}, {4, 8}, {8, 8}, {16, 8}, {8, 16}, {16, 16}};
	static const int count[7] = {16, 8, 8, 4, 2, 2, 1};
	int shape = 0;
	while (block >= count[shape])
		block -= count[shape++];
	*wide = size[shape][0];
	*high = size[shape][1];
	*x = block % (EDGE / *wide) * *wide;
	*y = block / (EDGE / *wide) * *high;
	if (shape == 1 || shape == 2) { /* numbered within each 8x8 */
		int quarter = block / 2, half = block % 2;
		*x = quarter % 2 * 8 + (shape == 2 ? half * 4 : 0);
		*y = quarter / 2 * 8 + (shape == 1 ? half * 4 : 0);
	}
}

static int edge_pixel(const unsigned char *frame, int x, int y, int width, int height)
{
	x = x < 0 ? 0 : x >= width ? width - 1 : x;
	y = y < 0 ? 0 : y >= height ? height - 1 : y;
	return frame[y * width + x];
}

/* One number straight from its definition. */
static int reference(const unsigned char *current, const unsigned char *frame, int columns, int rows, size_t index)
{
	int position = (int)(index % POSITIONS), block = (int)(index / POSITIONS % BLOCKS);
	int macroblock = (int)(index / POSITIONS / BLOCKS), width = columns * EDGE, height = rows * EDGE;
	int x, y, wide, high, sum = 0;
	place_of(block, &x, &y, &wide, &high);
	x += macroblock % columns * EDGE;
	y += macroblock / columns * EDGE;
	for (int row = y; row < y + high; row++)
		for (int column = x; column < x + wide; column++)
			sum += abs(current[row * width + column] - edge_pixel(frame, column + position % SIDE - RANGE,
			                                                      row + position / SIDE - RANGE, width, height));
	return sum;
}

/* A smooth picture with noise; the current frame is the reference moved by a few pixels. */
static void make_frames(struct workload *w, unsigned char *current, unsigned char *frame, int width, int height)
{
	for (int i = 0; i < width * height; i++)
		frame[i] = (unsigned char)(100 + 60 * sin(i % width * 0.11) * cos(i / width * 0.07) + workload_below(w, 32));
	for (int i = 0; i < width * height; i++) {
		int moved = edge_pixel(frame, i % width + 3, i / width - 2, width, height);
		current[i] = (unsigned char)(moved + workload_below(w, 8));
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("sad", "block differences for motion estimation", param, 2, argc, argv);
	int columns = (int)workload_value(&w, "columns"), rows = (int)workload_value(&w, "rows");
	size_t pixels = (size_t)columns * rows * EDGE * EDGE, sads = (size_t)columns * rows * BLOCKS * POSITIONS;
	unsigned char *current = WORKLOAD_HOST(unsigned char, pixels), *frame = WORKLOAD_HOST(unsigned char, pixels);
	unsigned char *device_current = WORKLOAD_DEVICE(unsigned char, pixels);
	unsigned char *device_frame = WORKLOAD_DEVICE(unsigned char, pixels);
	unsigned short *sad = WORKLOAD_HOST(unsigned short, sads), *device_sad = WORKLOAD_DEVICE(unsigned short, sads);
	make_frames(&w, current, frame, columns * EDGE, rows * EDGE);
	WORKLOAD_CUDA(cudaMemcpy(device_current, current, pixels, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_frame, frame, pixels, cudaMemcpyHostToDevice));

	workload_start(&w);
	dim3 grid(columns, rows);
	match_4x4<<<grid, THREADS>>>(device_current, device_frame, device_sad);
	merge_to_8x8<<<grid, THREADS>>>(device_sad);
	merge_to_16x16<<<grid, THREADS>>>(device_sad);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(sad, device_sad, sads * sizeof *sad, cudaMemcpyDeviceToHost));
	bool pass = true;
	for (size_t i = 0; i < sads && pass; i++) {
		int got = sad[i], want = reference(current, frame, columns, rows, i);
		pass = workload_same_ints("sad", &got, &want, 1);
		if (!pass)
			fprintf(stderr, "(of all %zu, number %zu)\n", sads, i);
	}
	return workload_close(&w, pass);
}
