/*
 * Compressible flow (Euler's equations) over a wall, finite volumes on tetrahedra, three Runge-Kutta stages per step.
 * A thread owns a cell: its own variables are read side by side (structure of arrays), those of its four neighbours
 * are gathered through their numbers.
 */
#include "../common/workload.h"

enum { THREADS = 192, FACES = 4, STAGES = 3, VARIABLES = 5, SHUFFLED = 1024 };
enum { WALL = -1, FAR_FIELD = -2 };

static const float GAMMA = 1.4f, COURANT = 0.5f, MACH = 1.2f;

static struct workload_param param[] = {
	{"side", "cubes along x and y, 6 cells each", 6, 16, 25, 1, 64},
	{"layers", "cubes along z", 4, 16, 26, 1, 64},
	{"steps", "time steps", 1, 1, 10, 1, 10000},
};

/* Per cell or, for faces, per face and cell: entry [f * cells + i]. */
struct mesh {
	int cells;
	int *neighbour;             /* a cell, WALL or FAR_FIELD */
	float *nx, *ny, *nz, *area; /* normals outwards, as long as the face is large; area of all faces of a cell */
};

/* Mass, momentum and energy per volume; as an array of all cells, one array after the other. */
template <typename real> struct state {
	real v[VARIABLES];
};

/* What of a state crosses a face. */
template <typename real> struct motion {
	real vx, vy, vz, pressure, fastest;
};

/* ---- physics, for device (float) and host (double) -------------------------------------------------------- */

template <typename real> __host__ __device__ static struct motion<real> motion_of(const struct state<real> &u)
{
	struct motion<real> m;
	m.vx = u.v[1] / u.v[0];
	m.vy = u.v[2] / u.v[0];
	m.vz = u.v[3] / u.v[0];
	real square = m.vx * m.vx + m.vy * m.vy + m.vz * m.vz;
	m.pressure = (real)(GAMMA - 1) * (u.v[4] - (real)0.5 * u.v[0] * square);
	m.fastest = sqrt(square) + sqrt((real)GAMMA * m.pressure / u.v[0]);
	return m;
}

/* Through a face of this normal, by one side's state alone. */
template <typename real>
__host__ __device__ static struct state<real> carried(const struct state<real> &u, const struct motion<real> &m,
                                                      real nx, real ny, real nz)
{
	real through = m.vx * nx + m.vy * ny + m.vz * nz;
	struct state<real> f;
	f.v[0] = u.v[0] * through;
	f.v[1] = u.v[1] * through + m.pressure * nx;
	f.v[2] = u.v[2] * through + m.pressure * ny;
	f.v[3] = u.v[3] * through + m.pressure * nz;
	f.v[4] = (u.v[4] + m.pressure) * through;
	return f;
}

/* Undisturbed flow along x: density GAMMA and pressure 1, hence speed of sound 1. */
template <typename real> __host__ __device__ static struct state<real> far_field()
{
	struct state<real> u = {{(real)GAMMA, (real)GAMMA * (real)MACH, 0, 0,
	                         1 / ((real)GAMMA - 1) + (real)0.5 * (real)GAMMA * (real)MACH * (real)MACH}};
	return u;
}

/* ---- kernels --------------------------------------------------------------------------------------------- */

__device__ static struct state<float> load_state(const float *u, int cells, int i)
{
	struct state<float> s;
	for (int k = 0; k < VARIABLES; k++)
		s.v[k] = u[k * cells + i];
	return s;
}

/* Every cell its own time step, over its volume. */
__global__ void compute_pace(struct mesh m, const float *u, float *pace)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < m.cells)
		pace[i] = COURANT / (m.area[i] * motion_of(load_state(u, m.cells, i)).fastest);
}

/* The mean of both sides, less what keeps shocks stable. */
__device__ static void add_face(struct state<float> *sum, const struct state<float> &mine,
                                const struct motion<float> &mine_moves, const struct state<float> &other, float nx,
                                float ny, float nz)
{
	struct motion<float> other_moves = motion_of(other);
	struct state<float> out = carried(mine, mine_moves, nx, ny, nz), in = carried(other, other_moves, nx, ny, nz);
	float smoothing = sqrtf(nx * nx + ny * ny + nz * nz) * fmaxf(mine_moves.fastest, other_moves.fastest);
	for (int k = 0; k < VARIABLES; k++)
		sum->v[k] += 0.5f * (out.v[k] + in.v[k] - smoothing * (other.v[k] - mine.v[k]));
}

__global__ void compute_flux(struct mesh m, const float *u, float *flux)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= m.cells)
		return;
	struct state<float> mine = load_state(u, m.cells, i), sum = {};
	struct motion<float> moves = motion_of(mine);
#pragma unroll 1
	for (int f = 0; f < FACES; f++) {
		int face = f * m.cells + i, other = m.neighbour[face];
		float nx = m.nx[face], ny = m.ny[face], nz = m.nz[face];
		if (other >= 0) {
			add_face(&sum, mine, moves, load_state(u, m.cells, other), nx, ny, nz);
		} else if (other == FAR_FIELD) {
			add_face(&sum, mine, moves, far_field<float>(), nx, ny, nz);
		} else {
			sum.v[1] += moves.pressure * nx;
			sum.v[2] += moves.pressure * ny;
			sum.v[3] += moves.pressure * nz;
		}
	}
	for (int k = 0; k < VARIABLES; k++)
		flux[k * m.cells + i] = sum.v[k];
}

__global__ void advance(int cells, int stage, const float *old, const float *pace, const float *flux, float *u)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= cells)
		return;
	float part = pace[i] / (STAGES - stage);
	for (int k = 0; k < VARIABLES; k++)
		u[k * cells + i] = old[k * cells + i] - part * flux[k * cells + i];
}

/* ---- the mesh: cubes of six tetrahedra, corners moved a little, cells numbered without order ----------------- */

struct point {
	float x, y, z;
};

struct face {
	int corner[3]; /* increasing */
	int cell, side;
};

static int compare_faces(const void *a, const void *b)
{
	return memcmp(((const struct face *)a)->corner, ((const struct face *)b)->corner, 3 * sizeof(int));
}

/* Cells keep the order of their cubes from afar, not within some thousand. */
static int *shuffled_cells(struct workload *w, int cells)
{
	int *number = WORKLOAD_HOST(int, cells);
	for (int i = 0; i < cells; i++)
		number[i] = i;
	for (int i = 0; i < cells; i++) {
		int end = i - i % SHUFFLED + SHUFFLED, left = (end < cells ? end : cells) - i;
		int j = i + (int)workload_below(w, (uint32_t)left), kept = number[i];
		number[i] = number[j];
		number[j] = kept;
	}
	return number;
}

static struct point *make_points(struct workload *w, int side, int layers)
{
	struct point *p = WORKLOAD_HOST(struct point, (size_t)(side + 1) * (side + 1) * (layers + 1)), *next = p;
	for (int z = 0; z <= layers; z++)
		for (int y = 0; y <= side; y++)
			for (int x = 0; x <= side; x++, next++) {
				next->x = x + 0.2f * (workload_unit(w) - 0.5f);
				next->y = y + 0.2f * (workload_unit(w) - 0.5f);
				next->z = z + 0.2f * (workload_unit(w) - 0.5f);
			}
	return p;
}

/* Half the cross product of two edges, turned away from the fourth corner. */
static void set_normal(struct mesh *m, int face, int cell, struct point a, struct point b, struct point c,
                       struct point inside)
{
	struct point u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
	struct point n = {(u.y * v.z - u.z * v.y) / 2, (u.z * v.x - u.x * v.z) / 2, (u.x * v.y - u.y * v.x) / 2};
	bool inwards = n.x * (inside.x - a.x) + n.y * (inside.y - a.y) + n.z * (inside.z - a.z) > 0;
	m->nx[face] = inwards ? -n.x : n.x;
	m->ny[face] = inwards ? -n.y : n.y;
	m->nz[face] = inwards ? -n.z : n.z;
	m->area[cell] += sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
}

/* A path along the edges of a cube from its first corner to its last: the corners of a tetrahedron, increasing. */
static void make_cell(struct mesh *m, struct face *face, int cell, const int *corner, const struct point *p)
{
	for (int side = 0; side < FACES; side++) {
		struct face *f = &face[side];
		for (int i = 0, n = 0; i < FACES; i++)
			if (i != side)
				f->corner[n++] = corner[i];
		f->cell = cell;
		f->side = side;
		set_normal(m, side * m->cells + cell, cell, p[f->corner[0]], p[f->corner[1]], p[f->corner[2]],
		           p[corner[side]]);
	}
}

/* Faces of the lowest layer's floor are wall; a corner's number tells its height. */
static void join_faces(struct mesh *m, struct face *face, int corners_per_layer)
{
	size_t count = (size_t)m->cells * FACES;
	qsort(face, count, sizeof *face, compare_faces);
	for (size_t i = 0; i < count; i++) {
		struct face *a = &face[i], *b = &face[i + 1];
		int *mine = &m->neighbour[a->side * m->cells + a->cell];
		if (i + 1 < count && !compare_faces(a, b)) {
			*mine = b->cell;
			m->neighbour[b->side * m->cells + b->cell] = a->cell;
			i++;
		} else {
			*mine = a->corner[2] < corners_per_layer ? WALL : FAR_FIELD;
		}
	}
}

static struct mesh make_mesh(struct workload *w, int side, int layers)
{
	static const int path[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
	int cells = 6 * side * side * layers, step[3] = {1, side + 1, (side + 1) * (side + 1)};
	size_t faces = (size_t)cells * FACES;
	struct mesh m = {cells, WORKLOAD_HOST(int, faces), WORKLOAD_HOST(float, faces), WORKLOAD_HOST(float, faces),
	                 WORKLOAD_HOST(float, faces), WORKLOAD_HOST(float, cells)};
	struct face *face = WORKLOAD_HOST(struct face, faces);
	struct point *point = make_points(w, side, layers);
	int *number = shuffled_cells(w, cells);
	for (int i = 0; i < cells; i++) {
		int cube = i / 6, first = cube % side + cube / side % side * step[1] + cube / side / side * step[2];
		int corner[FACES] = {first, first + step[path[i % 6][0]], 0, first + step[0] + step[1] + step[2]};
		corner[2] = corner[1] + step[path[i % 6][1]];
		make_cell(&m, face + (size_t)i * FACES, number[i], corner, point);
	}
	join_faces(&m, face, step[2]);
	free(face);
	free(point);
	free(number);
	return m;
}

static struct mesh mesh_to_device(const struct mesh *m)
{
	size_t cells = (size_t)m->cells, faces = cells * FACES;
	struct mesh d = {m->cells, WORKLOAD_DEVICE(int, faces), WORKLOAD_DEVICE(float, faces),
	                 WORKLOAD_DEVICE(float, faces), WORKLOAD_DEVICE(float, faces), WORKLOAD_DEVICE(float, cells)};
	WORKLOAD_CUDA(cudaMemcpy(d.neighbour, m->neighbour, faces * sizeof(int), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.nx, m->nx, faces * sizeof(float), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.ny, m->ny, faces * sizeof(float), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.nz, m->nz, faces * sizeof(float), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.area, m->area, cells * sizeof(float), cudaMemcpyHostToDevice));
	return d;
}

/* ---- the reference: face by face, in double ------------------------------------------------------------------ */

static struct state<double> reference_face(const struct mesh *m, int face, const struct state<double> &mine,
                                           const struct state<double> &other)
{
	double nx = m->nx[face], ny = m->ny[face], nz = m->nz[face], size = sqrt(nx * nx + ny * ny + nz * nz);
	struct motion<double> a = motion_of(mine), b = motion_of(other);
	struct state<double> out = carried(mine, a, nx, ny, nz), in = carried(other, b, nx, ny, nz), sum;
	for (int k = 0; k < VARIABLES; k++)
		sum.v[k] = (out.v[k] + in.v[k]) / 2 - size * fmax(a.fastest, b.fastest) * (other.v[k] - mine.v[k]) / 2;
	return sum;
}

/* What leaves one cell enters the other: every inner face is computed once, from the lower number. */
static void reference_flux(const struct mesh *m, const struct state<double> *u, struct state<double> *flux)
{
	memset(flux, 0, (size_t)m->cells * sizeof *flux);
	for (int face = 0; face < m->cells * FACES; face++) {
		int cell = face % m->cells, other = m->neighbour[face];
		if (other >= 0 && other < cell)
			continue;
		if (other == WALL) {
			double pressure = motion_of(u[cell]).pressure;
			flux[cell].v[1] += pressure * m->nx[face];
			flux[cell].v[2] += pressure * m->ny[face];
			flux[cell].v[3] += pressure * m->nz[face];
			continue;
		}
		struct state<double> f = reference_face(m, face, u[cell], other >= 0 ? u[other] : far_field<double>());
		for (int k = 0; k < VARIABLES; k++) {
			flux[cell].v[k] += f.v[k];
			if (other >= 0)
				flux[other].v[k] -= f.v[k];
		}
	}
}

static void reference(const struct mesh *m, float *result, int steps)
{
	size_t cells = (size_t)m->cells;
	struct state<double> *u = WORKLOAD_HOST(struct state<double>, cells);
	struct state<double> *old = WORKLOAD_HOST(struct state<double>, cells);
	struct state<double> *flux = WORKLOAD_HOST(struct state<double>, cells);
	double *pace = WORKLOAD_HOST(double, cells);
	for (size_t i = 0; i < cells * VARIABLES; i++)
		u[i % cells].v[i / cells] = result[i];
	for (int stage = 0; stage < steps * STAGES; stage++) {
		if (stage % STAGES == 0) {
			memcpy(old, u, cells * sizeof *u);
			for (size_t i = 0; i < cells; i++)
				pace[i] = COURANT / (m->area[i] * motion_of(u[i]).fastest);
		}
		reference_flux(m, u, flux);
		for (size_t i = 0; i < cells; i++)
			for (int k = 0; k < VARIABLES; k++)
				u[i].v[k] = old[i].v[k] - pace[i] / (STAGES - stage % STAGES) * flux[i].v[k];
	}
	for (size_t i = 0; i < cells * VARIABLES; i++)
		result[i] = (float)u[i % cells].v[i / cells];
}

/* ---- main ---------------------------------------------------------------------------------------------------- */

static void solve(struct workload *w, struct mesh m, float *u, int steps)
{
	size_t count = (size_t)m.cells * VARIABLES;
	float *old = WORKLOAD_DEVICE(float, count), *flux = WORKLOAD_DEVICE(float, count);
	float *pace = WORKLOAD_DEVICE(float, m.cells);
	int ctas = (m.cells + THREADS - 1) / THREADS;
	workload_start(w);
	for (int t = 0; t < steps; t++) {
		WORKLOAD_CUDA(cudaMemcpy(old, u, count * sizeof *u, cudaMemcpyDeviceToDevice));
		compute_pace<<<ctas, THREADS>>>(m, u, pace);
		for (int stage = 0; stage < STAGES; stage++) {
			compute_flux<<<ctas, THREADS>>>(m, u, flux);
			advance<<<ctas, THREADS>>>(m.cells, stage, old, pace, flux, u);
		}
	}
	workload_stop(w);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("cfd", "Euler solver on an unstructured grid", param, 3, argc, argv);
	int steps = (int)workload_value(&w, "steps");
	struct mesh m = make_mesh(&w, (int)workload_value(&w, "side"), (int)workload_value(&w, "layers"));
	struct mesh device_mesh = mesh_to_device(&m);
	size_t count = (size_t)m.cells * VARIABLES;
	float *want = WORKLOAD_HOST(float, count), *got = WORKLOAD_HOST(float, count);
	float *device_u = WORKLOAD_DEVICE(float, count);
	for (size_t i = 0; i < count; i++)
		want[i] = far_field<float>().v[i / m.cells] * (1 + 0.02f * workload_unit(&w));
	WORKLOAD_CUDA(cudaMemcpy(device_u, want, count * sizeof *want, cudaMemcpyHostToDevice));

	solve(&w, device_mesh, device_u, steps);

	WORKLOAD_CUDA(cudaMemcpy(got, device_u, count * sizeof *got, cudaMemcpyDeviceToHost));
	reference(&m, want, steps);
	return workload_close(&w, workload_same_floats("variable", got, want, count, 1e-3));
}
