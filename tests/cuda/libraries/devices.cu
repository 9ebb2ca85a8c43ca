/*
 * libnvidia-ml and libnccl: the facts of the one device, what is not measured, and collectives of one rank.
 * options: -lnvidia-ml -lnccl.
 */
#include <cstdio>
#include <cstring>

#include <nccl.h>
#include <nvml.h>

static int failures;

static void check(bool holds, const char *claim)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s\n", claim);
}

__global__ void fill(float *x, float value)
{
	x[threadIdx.x] = value + threadIdx.x;
}

static void facts()
{
	nvmlDevice_t device;
	nvmlMemory_t memory;
	nvmlPciInfo_t pci;
	cudaDeviceProp p;
	unsigned count = 0, value = 0;
	int major = 0, minor = 0;
	char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], id[NVML_DEVICE_UUID_BUFFER_SIZE], small[4];
	cudaGetDeviceProperties(&p, 0);
	check(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED, "nothing is known before nvmlInit()");
	check(!nvmlInit() && !nvmlDeviceGetCount(&count) && count == 1, "there is one device");
	check(!nvmlDeviceGetHandleByIndex(0, &device), "it has a handle");
	check(nvmlDeviceGetHandleByIndex(1, &device) == NVML_ERROR_INVALID_ARGUMENT, "there is no second");
	check(!nvmlDeviceGetName(device, name, sizeof name) && !strcmp(name, p.name), "its name is the runtime's");
	check(nvmlDeviceGetName(device, small, sizeof small) == NVML_ERROR_INSUFFICIENT_SIZE, "a short buffer is refused");
	check(!nvmlDeviceGetUUID(device, id, sizeof id) && !strncmp(id, "GPU-", 4) && strlen(id) == 40, "it has a UUID");
	check(!nvmlDeviceGetMemoryInfo(device, &memory) && memory.total == memory.free + memory.used, "memory adds up");
	check(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor) && major == p.major && minor == p.minor,
	      "its compute capability is the runtime's");
	check(!nvmlDeviceGetMultiProcessorCount(device, &value) && (int)value == p.multiProcessorCount, "SMs are counted");
	check(!nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &value) && value > 0, "it has a clock");
	check(!nvmlDeviceGetPciInfo(device, &pci) && strlen(pci.busId) > 0, "it has an address");
	check(nvmlDeviceGetPowerUsage(device, &value) == NVML_ERROR_NOT_SUPPORTED, "power is not measured");
	check(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value) == NVML_ERROR_NOT_SUPPORTED,
	      "temperature is not measured");
	check(!strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported"), "errors have texts");
	check(!nvmlShutdown() && nvmlShutdown() == NVML_ERROR_UNINITIALIZED, "it ends once");
}

static void collectives()
{
	ncclComm_t comm, other;
	ncclUniqueId id;
	float *from, *to, host[32] = {0};
	int ranks = 0, rank = 1;
	cudaMalloc(&from, sizeof host);
	cudaMalloc(&to, sizeof host);
	fill<<<1, 32>>>(from, 5);
	check(!ncclGetUniqueId(&id) && !ncclCommInitRank(&comm, 1, id, 0), "one rank is a communicator");
	check(ncclCommInitRank(&other, 2, id, 0) == ncclInvalidUsage, "two are refused");
	check(strstr(ncclGetLastError(comm), "one device") != nullptr, "the refusal says why");
	check(!ncclCommCount(comm, &ranks) && ranks == 1 && !ncclCommUserRank(comm, &rank) && rank == 0, "it knows itself");
	check(!ncclGroupStart() && !ncclAllReduce(from, to, 32, ncclFloat, ncclSum, comm, 0) && !ncclGroupEnd(), "all-reduce");
	cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 5 && host[31] == 36, "the sum of one rank is its own");
	cudaMemset(to, 0, sizeof host);
	check(!ncclAllGather(from, to, 16, ncclFloat, comm, 0), "all-gather");
	cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
	check(host[15] == 20 && host[16] == 0, "as many are copied as are sent");
	check(!ncclBcast(from, 32, ncclFloat, 0, comm, 0) && !ncclReduceScatter(from, to, 32, ncclFloat, ncclMax, comm, 0),
	      "the others work");
	check(ncclBroadcast(from, to, 32, ncclFloat, 1, comm, 0) == ncclInvalidArgument, "there is no root 1");
	check(ncclAllReduce(from, to, 32, (ncclDataType_t)77, ncclSum, comm, 0) == ncclInvalidArgument, "types are checked");
	check(!ncclCommDestroy(comm), "it can be given back");
}

int main()
{
	facts();
	collectives();
	printf(failures ? "devices FAIL\n" : "devices PASS\n");
	return failures != 0;
}
