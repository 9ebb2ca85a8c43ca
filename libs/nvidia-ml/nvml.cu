/* NVML on top of the properties that the runtime tells: facts of the simulated machine, and no measurements. */
#include <stdio.h>
#include <string.h>

#include <cuda_runtime.h>
#include <nvml.h>

static int started; /* nvmlInit() less nvmlShutdown() */

/* The one device's handle is never read. */
static nvmlDevice_t the_device(void)
{
	static char place;
	return (nvmlDevice_t)(void *)&place;
}

static nvmlReturn_t check(nvmlDevice_t device, const void *out)
{
	if (!started)
		return NVML_ERROR_UNINITIALIZED;
	return device == the_device() && out ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t properties(nvmlDevice_t device, const void *out, cudaDeviceProp *p)
{
	nvmlReturn_t result = check(device, out);
	if (!result && cudaGetDeviceProperties(p, 0) != cudaSuccess)
		result = NVML_ERROR_UNKNOWN;
	return result;
}

static nvmlReturn_t give_text(char *text, unsigned bytes, const char *from)
{
	if (!text)
		return NVML_ERROR_INVALID_ARGUMENT;
	if (strlen(from) >= bytes)
		return NVML_ERROR_INSUFFICIENT_SIZE;
	strcpy(text, from);
	return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void)
{
	started++;
	return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit(void)
{
	return nvmlInit_v2();
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
	(void)flags;
	return nvmlInit_v2();
}

nvmlReturn_t nvmlShutdown(void)
{
	if (!started)
		return NVML_ERROR_UNINITIALIZED;
	started--;
	return NVML_SUCCESS;
}

const char *nvmlErrorString(nvmlReturn_t result)
{
	switch (result) {
	case NVML_SUCCESS:
		return "Success";
	case NVML_ERROR_UNINITIALIZED:
		return "Uninitialized";
	case NVML_ERROR_INVALID_ARGUMENT:
		return "Invalid Argument";
	case NVML_ERROR_NOT_SUPPORTED:
		return "Not Supported";
	case NVML_ERROR_NOT_FOUND:
		return "Not Found";
	case NVML_ERROR_INSUFFICIENT_SIZE:
		return "Insufficient Size";
	default:
		return "Unknown Error";
	}
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *text, unsigned bytes)
{
	return started ? give_text(text, bytes, "0.0 (sluice)") : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *text, unsigned bytes)
{
	return give_text(text, bytes, "12.0 (sluice)");
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
	return version && cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
	return nvmlSystemGetCudaDriverVersion(version);
}

/* ---- the device ------------------------------------------------------------------------------------------------ */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
	nvmlReturn_t result = check(the_device(), count);
	if (!result)
		*count = 1;
	return result;
}

nvmlReturn_t nvmlDeviceGetCount(unsigned *count)
{
	return nvmlDeviceGetCount_v2(count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
	nvmlReturn_t result = check(the_device(), device);
	if (result || index)
		return result ? result : NVML_ERROR_INVALID_ARGUMENT;
	*device = the_device();
	return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device)
{
	return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
	int index;
	if (!id || cudaDeviceGetByPCIBusId(&index, id) != cudaSuccess) {
		cudaGetLastError();
		return NVML_ERROR_NOT_FOUND;
	}
	return nvmlDeviceGetHandleByIndex_v2((unsigned)index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device)
{
	return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
	nvmlReturn_t result = check(device, index);
	if (!result)
		*index = 0;
	return result;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *text, unsigned bytes)
{
	cudaDeviceProp p;
	nvmlReturn_t result = properties(device, text, &p);
	return result ? result : give_text(text, bytes, p.name);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *text, unsigned bytes)
{
	cudaDeviceProp p;
	nvmlReturn_t result = properties(device, text, &p);
	char id[64] = "GPU-";
	for (int i = 0; i < 16; i++)
		sprintf(id + strlen(id), "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		        (unsigned char)p.uuid.bytes[i]);
	return result ? result : give_text(text, bytes, id);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *info)
{
	cudaDeviceProp p;
	nvmlReturn_t result = properties(device, info, &p);
	if (result)
		return result;
	memset(info, 0, sizeof *info);
	info->domain = (unsigned)p.pciDomainID;
	info->bus = (unsigned)p.pciBusID;
	info->device = (unsigned)p.pciDeviceID;
	snprintf(info->busId, sizeof info->busId, "%08X:%02X:%02X.0", info->domain, info->bus, info->device);
	snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "%04X:%02X:%02X.0", info->domain & 0xffff, info->bus & 0xff,
	         info->device & 0xff);
	return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *info)
{
	return nvmlDeviceGetPciInfo_v3(device, info);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
	size_t unused, total;
	nvmlReturn_t result = check(device, memory);
	if (result)
		return result;
	if (cudaMemGetInfo(&unused, &total) != cudaSuccess)
		return NVML_ERROR_UNKNOWN;
	memory->total = total;
	memory->free = unused;
	memory->used = total - unused;
	return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
	cudaDeviceProp p;
	nvmlReturn_t result = minor ? properties(device, major, &p) : NVML_ERROR_INVALID_ARGUMENT;
	if (result)
		return result;
	*major = p.major;
	*minor = p.minor;
	return NVML_SUCCESS;
}

static nvmlReturn_t attribute(nvmlDevice_t device, unsigned *out, cudaDeviceAttr which, int divisor)
{
	int value;
	nvmlReturn_t result = check(device, out);
	if (!result && cudaDeviceGetAttribute(&value, which, 0) != cudaSuccess)
		result = NVML_ERROR_UNKNOWN;
	if (!result)
		*out = (unsigned)(value / divisor);
	return result;
}

nvmlReturn_t nvmlDeviceGetMultiProcessorCount(nvmlDevice_t device, unsigned *count)
{
	return attribute(device, count, cudaDevAttrMultiProcessorCount, 1);
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bits)
{
	return attribute(device, bits, cudaDevAttrGlobalMemoryBusWidth, 1);
}

/* Clocks of the machine do not change; there is none of video. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
	if (type == NVML_CLOCK_VIDEO)
		return NVML_ERROR_NOT_SUPPORTED;
	return attribute(device, mhz, type == NVML_CLOCK_MEM ? cudaDevAttrMemoryClockRate : cudaDevAttrClockRate, 1000);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
	return nvmlDeviceGetClockInfo(device, type, mhz);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
	return nvmlDeviceGetClockInfo(device, type, mhz);
}

/* ---- what a driver would measure ---------------------------------------------------------------------------------- */

static nvmlReturn_t refuse(nvmlDevice_t device, const void *out)
{
	nvmlReturn_t result = check(device, out);
	return result ? result : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *celsius)
{
	(void)sensor;
	return refuse(device, celsius);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *milliwatts)
{
	return refuse(device, milliwatts);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned *milliwatts)
{
	return refuse(device, milliwatts);
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned *milliwatts)
{
	return refuse(device, milliwatts);
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *millijoules)
{
	return refuse(device, millijoules);
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates)
{
	return refuse(device, rates);
}

nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned *percent)
{
	return refuse(device, percent);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *processes)
{
	(void)processes;
	return refuse(device, count);
}
