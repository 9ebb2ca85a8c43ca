/* NCCL of one rank: every collective is a copy from the sent to the received memory, in its stream. */
#include <stdio.h>
#include <string.h>

#include <nccl.h>

struct ncclComm {
	int device;
};

static thread_local char last_error[160];

static ncclResult_t fail(ncclResult_t result, const char *text)
{
	snprintf(last_error, sizeof last_error, "%s", text);
	return result;
}

ncclResult_t ncclGetVersion(int *version)
{
	if (!version)
		return fail(ncclInvalidArgument, "no place for the version");
	*version = NCCL_VERSION_CODE;
	return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
	if (!id)
		return fail(ncclInvalidArgument, "no place for the id");
	memset(id, 0, sizeof *id);
	strcpy(id->internal, "sluice: one rank");
	return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result)
{
	static const char *const texts[] = {"no error",         "unhandled cuda error", "unhandled system error",
	                                    "internal error",   "invalid argument",     "invalid usage",
	                                    "remote process exited or there was a network error",
	                                    "NCCL operation in progress"};
	return (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm)
{
	(void)comm;
	return last_error;
}

/* ---- communicators -------------------------------------------------------------------------------------------- */

static ncclResult_t open(ncclComm_t *comm, int ranks, int rank)
{
	if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
		return fail(ncclInvalidArgument, "no such rank");
	if (ranks > 1) {
		fprintf(stderr, "sluice: NCCL with %d ranks is not supported: there is one device\n", ranks);
		return fail(ncclInvalidUsage, "more than one rank is not supported: there is one device");
	}
	*comm = new ncclComm();
	return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
	(void)id;
	return open(comm, ranks, rank);
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int devices, const int *list)
{
	if (list && devices > 0 && list[0])
		return fail(ncclInvalidArgument, "no such device");
	return open(comms, devices, 0);
}

ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
	return comm ? ncclSuccess : fail(ncclInvalidArgument, "no communicator");
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
	delete comm;
	return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
	return ncclCommDestroy(comm);
}

static ncclResult_t answer(ncclComm_t comm, int *out, int value)
{
	if (!comm || !out)
		return fail(ncclInvalidArgument, "no communicator, or no place for the answer");
	*out = value;
	return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result)
{
	int value;
	ncclResult_t done = answer(comm, result ? &value : nullptr, ncclSuccess);
	if (done == ncclSuccess)
		*result = ncclSuccess;
	return done;
}

ncclResult_t ncclCommCount(ncclComm_t comm, int *count)
{
	return answer(comm, count, 1);
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device)
{
	return answer(comm, device, 0);
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank)
{
	return answer(comm, rank, 0);
}

ncclResult_t ncclGroupStart(void)
{
	return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
	return ncclSuccess;
}

/* ---- collectives ---------------------------------------------------------------------------------------------- */

static ncclResult_t copy(const void *from, void *to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                         cudaStream_t stream)
{
	static const size_t bytes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
	if (!comm || (unsigned)type >= ncclNumTypes || root || (count && (!from || !to)))
		return fail(ncclInvalidArgument, "no communicator, type, root or memory like that");
	if (from == to || !count)
		return ncclSuccess;
	cudaError_t error = cudaMemcpyAsync(to, from, count * bytes[type], cudaMemcpyDefault, stream);
	return error == cudaSuccess ? ncclSuccess : fail(ncclUnhandledCudaError, cudaGetErrorString(error));
}

static bool is_operation(ncclRedOp_t op)
{
	return (unsigned)op < ncclNumOps;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream)
{
	return is_operation(op) ? copy(from, to, count, type, 0, comm, stream) : fail(ncclInvalidArgument, "no such operation");
}

ncclResult_t ncclReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream)
{
	return is_operation(op) ? copy(from, to, count, type, root, comm, stream)
	                        : fail(ncclInvalidArgument, "no such operation");
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream)
{
	return copy(from, to, count, type, root, comm, stream);
}

ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
	return copy(buffer, buffer, count, type, root, comm, stream);
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream)
{
	return copy(from, to, count, type, 0, comm, stream);
}

ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream)
{
	return ncclAllReduce(from, to, count, type, op, comm, stream);
}
