/* Plans: the shape of the data, the order in which dimensions are transformed, the interface. */
#include "fft.h"

#include <map>
#include <memory>
#include <mutex>
#include <new>

/* The arrays of one side, as cufftPlanMany() describes them. */
struct array_shape {
	long long stride[RANK_MAX], distance; /* of each dimension, of the batch */
	bool is_given;                        /* by the program: not padded for transforms in place */
};

struct plan_base {
	cudaStream_t stream = 0;
	virtual ~plan_base()
	{
	}
	virtual cufftResult run(void *in, void *out, bool is_inverse, cufftType type) = 0;
	virtual size_t work_bytes() const = 0;
};

static bool is_real_input(cufftType type)
{
	return type == CUFFT_R2C || type == CUFFT_D2Z;
}
static bool is_real_output(cufftType type)
{
	return type == CUFFT_C2R || type == CUFFT_Z2D;
}
static bool is_double(cufftType type)
{
	return type == CUFFT_D2Z || type == CUFFT_Z2D || type == CUFFT_Z2Z;
}

template <class T> struct plan : plan_base {
	cufftType type;
	int rank, n[RANK_MAX], half[RANK_MAX]; /* half: of the complex side of a real transform */
	long long batch;
	array_shape in, out;
	length<T> lengths[RANK_MAX] = {};
	complex<T> *work[2] = {nullptr, nullptr}, *between = nullptr; /* between: after all dimensions but the last of C2R */
	size_t bytes = 0;

	~plan() override
	{
		for (int d = 0; d < rank; d++)
			length_free(&lengths[d]);
		cudaFree(work[0]);
		cudaFree(between);
	}
	size_t work_bytes() const override
	{
		return bytes;
	}

	/* Rows one after the other; real rows of transforms in place have the room of the complex ones. */
	array_shape basic(bool is_complex_half, bool is_padded) const
	{
		array_shape s;
		long long at = 1;
		for (int d = rank; d-- > 0;) {
			s.stride[d] = at;
			at *= d == rank - 1 && is_padded ? 2ll * half[d] : is_complex_half ? half[d] : n[d];
		}
		s.distance = at;
		s.is_given = false;
		return s;
	}

	/* The lines along dimension d of an array whose dimensions are `extent` long. */
	lines along(int d, const array_shape &s, const int *extent) const
	{
		lines l;
		int at = 0;
		for (int i = 0; i < RANK_MAX; i++)
			l.count[i] = 1, l.stride[i] = 0;
		for (int i = rank; i-- > 0;)
			if (i != d)
				l.count[at] = extent[i], l.stride[at++] = s.stride[i];
		l.count[at] = batch;
		l.stride[at] = s.distance;
		l.step = s.stride[d];
		return l;
	}

	long long line_count(int d, const int *extent) const
	{
		long long count = batch;
		for (int i = 0; i < rank; i++)
			count *= i == d ? 1 : extent[i];
		return count;
	}

	void transform(int d, bool is_inverse, side<T> from, side<T> to, const int *extent)
	{
		transform_lines(&lengths[d], line_count(d, extent), is_inverse, from, to, work, stream);
	}

	side<T> side_of(void *base, int d, const array_shape &s, const int *extent, form how) const
	{
		side<T> result = {(T *)base, along(d, s, extent), how};
		return result;
	}

	void run_complex(void *from, void *to, bool is_inverse)
	{
		for (int d = rank; d-- > 0;) {
			bool is_first = d == rank - 1;
			transform(d, is_inverse, side_of(is_first ? from : to, d, is_first ? in : out, n, COMPLEX),
			          side_of(to, d, out, n, COMPLEX), n);
		}
	}

	/* The rows first, to half of them; then the other dimensions of that half. */
	void run_forward(void *from, void *to)
	{
		array_shape reals = in.is_given ? in : basic(false, from == to);
		int last = rank - 1;
		transform(last, false, side_of(from, last, reals, n, REAL), side_of(to, last, out, half, HALF), n);
		for (int d = last; d-- > 0;)
			transform(d, false, side_of(to, d, out, half, COMPLEX), side_of(to, d, out, half, COMPLEX), half);
	}

	/* The other way round; the input stays as it is. */
	void run_backward(void *from, void *to)
	{
		array_shape reals = out.is_given ? out : basic(false, from == to), middle = basic(true, false);
		int last = rank - 1;
		for (int d = 0; d < last; d++)
			transform(d, true, side_of(d ? between : from, d, d ? middle : in, half, COMPLEX),
			          side_of(between, d, middle, half, COMPLEX), half);
		transform(last, true, side_of(last ? between : from, last, last ? middle : in, half, HALF),
		          side_of(to, last, reals, n, REAL), n);
	}

	cufftResult run(void *from, void *to, bool is_inverse, cufftType wanted) override
	{
		if (wanted != type)
			return CUFFT_INVALID_TYPE;
		if (!from || !to)
			return CUFFT_INVALID_VALUE;
		if (is_real_input(type))
			run_forward(from, to);
		else if (is_real_output(type))
			run_backward(from, to);
		else
			run_complex(from, to, is_inverse);
		return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
	}

	bool allocate()
	{
		long long most = 0, whole = batch;
		for (int d = 0; d < rank; d++) {
			if (!length_make(&lengths[d], n[d]))
				return false;
			long long room = line_count(d, n) * length_work(n[d]);
			most = room > most ? room : most;
			whole *= half[d];
		}
		bytes = 2 * most * sizeof(complex<T>);
		if (cudaMalloc(&work[0], bytes) != cudaSuccess)
			return false;
		work[1] = work[0] + most;
		return !is_real_output(type) || rank == 1 || cudaMalloc(&between, whole * sizeof *between) == cudaSuccess;
	}
};

/* ---- plans by number -------------------------------------------------------------------------------------------------- */

static std::mutex lock;
static std::map<cufftHandle, std::unique_ptr<plan_base>> plans;
static cufftHandle last_handle;

static plan_base *find(cufftHandle handle)
{
	std::lock_guard<std::mutex> guard(lock);
	auto found = plans.find(handle);
	return found == plans.end() ? nullptr : found->second.get();
}

/* Strides of a side that the program describes; NULL: one after the other. */
static void describe(array_shape *shape, int rank, const int *embed, int stride, int distance)
{
	long long at = stride;
	for (int d = rank; d-- > 0;) {
		shape->stride[d] = at;
		at *= embed[d];
	}
	shape->distance = distance;
	shape->is_given = true;
}

struct layout {
	int *embed, stride, distance;
};

template <class T> static cufftResult make(cufftHandle handle, int rank, const int *n, layout in, layout out, cufftType type, int batch,
                                           size_t *work_bytes)
{
	std::unique_ptr<plan<T>> p(new (std::nothrow) plan<T>());
	if (!p)
		return CUFFT_ALLOC_FAILED;
	p->type = type;
	p->rank = rank;
	p->batch = batch;
	for (int d = 0; d < rank; d++) {
		p->n[d] = n[d];
		p->half[d] = (is_real_input(type) || is_real_output(type)) && d == rank - 1 ? n[d] / 2 + 1 : n[d];
	}
	p->in = p->basic(is_real_output(type), false);
	p->out = p->basic(is_real_input(type), false);
	if (in.embed)
		describe(&p->in, rank, in.embed, in.stride, in.distance);
	if (out.embed)
		describe(&p->out, rank, out.embed, out.stride, out.distance);
	if (!p->allocate())
		return CUFFT_ALLOC_FAILED;
	if (work_bytes)
		*work_bytes = p->work_bytes();
	std::lock_guard<std::mutex> guard(lock);
	plans[handle] = std::move(p);
	return CUFFT_SUCCESS;
}

static bool is_type(cufftType type)
{
	return type == CUFFT_C2C || type == CUFFT_Z2Z || is_real_input(type) || is_real_output(type);
}

extern "C" {

cufftResult cufftCreate(cufftHandle *plan)
{
	if (!plan)
		return CUFFT_INVALID_VALUE;
	std::lock_guard<std::mutex> guard(lock);
	*plan = ++last_handle;
	plans[*plan] = nullptr;
	return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *work_bytes)
{
	if (!is_type(type))
		return CUFFT_INVALID_TYPE;
	if (rank < 1 || rank > RANK_MAX || batch < 1 || !n)
		return CUFFT_INVALID_SIZE;
	for (int d = 0; d < rank; d++)
		if (n[d] < 1 || n[d] > 1 << 27)
			return CUFFT_INVALID_SIZE;
	{
		std::lock_guard<std::mutex> guard(lock);
		if (!plans.count(plan))
			return CUFFT_INVALID_PLAN;
	}
	layout in = {inembed, istride, idist}, out = {onembed, ostride, odist};
	return is_double(type) ? make<double>(plan, rank, n, in, out, type, batch, work_bytes)
	                       : make<float>(plan, rank, n, in, out, type, batch, work_bytes);
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch)
{
	cufftResult result = cufftCreate(plan);
	if (!result)
		result = cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
	if (result && plan)
		cufftDestroy(*plan);
	return result;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work_bytes)
{
	return cufftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, work_bytes);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work_bytes)
{
	int n[] = {nx, ny};
	return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work_bytes)
{
	int n[] = {nx, ny, nz};
	return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
	return cufftPlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
	int n[] = {nx, ny};
	return cufftPlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
	int n[] = {nx, ny, nz};
	return cufftPlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

cufftResult cufftDestroy(cufftHandle plan)
{
	std::lock_guard<std::mutex> guard(lock);
	return plans.erase(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
	plan_base *p = find(plan);
	if (p)
		p->stream = stream;
	return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetSize(cufftHandle plan, size_t *work_bytes)
{
	plan_base *p = find(plan);
	if (p)
		*work_bytes = p->work_bytes();
	return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetVersion(int *version)
{
	*version = CUFFT_VERSION;
	return CUFFT_SUCCESS;
}

static cufftResult execute(cufftHandle plan, void *in, void *out, int direction, cufftType type)
{
	plan_base *p = find(plan);
	if (!p)
		return CUFFT_INVALID_PLAN;
	if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
		return CUFFT_INVALID_VALUE;
	return p->run(in, out, direction == CUFFT_INVERSE, type);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
	return execute(plan, in, out, direction, CUFFT_C2C);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
	return execute(plan, in, out, direction, CUFFT_Z2Z);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
	return execute(plan, in, out, CUFFT_FORWARD, CUFFT_R2C);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
	return execute(plan, in, out, CUFFT_FORWARD, CUFFT_D2Z);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
	return execute(plan, in, out, CUFFT_INVERSE, CUFFT_C2R);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
	return execute(plan, in, out, CUFFT_INVERSE, CUFFT_Z2D);
}
}
