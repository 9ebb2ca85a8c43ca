/*
 * NVML, as far as libnvidia-ml of sluice has it: the facts of the machine that is simulated. Nothing is measured, so what a
 * driver would measure (temperature, power, utilisation, processes) is answered with NVML_ERROR_NOT_SUPPORTED.
 */
#ifndef __nvml_nvml__h__
#define __nvml_nvml__h__

#if defined(__cplusplus)
extern "C" {
#endif

#define NVML_API_VERSION 12
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16

typedef enum nvmlReturn_enum {
	NVML_SUCCESS = 0,
	NVML_ERROR_UNINITIALIZED = 1,
	NVML_ERROR_INVALID_ARGUMENT = 2,
	NVML_ERROR_NOT_SUPPORTED = 3,
	NVML_ERROR_NO_PERMISSION = 4,
	NVML_ERROR_ALREADY_INITIALIZED = 5,
	NVML_ERROR_NOT_FOUND = 6,
	NVML_ERROR_INSUFFICIENT_SIZE = 7,
	NVML_ERROR_DRIVER_NOT_LOADED = 9,
	NVML_ERROR_LIBRARY_NOT_FOUND = 12,
	NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

typedef struct nvmlDevice_st *nvmlDevice_t;

typedef struct nvmlMemory_st {
	unsigned long long total, free, used;
} nvmlMemory_t;

typedef struct nvmlUtilization_st {
	unsigned int gpu, memory;
} nvmlUtilization_t;

typedef struct nvmlPciInfo_st {
	char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
	unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
	char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

typedef struct nvmlProcessInfo_st {
	unsigned int pid;
	unsigned long long usedGpuMemory;
	unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

typedef enum nvmlClockType_enum {
	NVML_CLOCK_GRAPHICS = 0,
	NVML_CLOCK_SM = 1,
	NVML_CLOCK_MEM = 2,
	NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;

typedef enum nvmlTemperatureSensors_enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;

#define SLUICE_NVML __attribute__((visibility("default"))) nvmlReturn_t

SLUICE_NVML nvmlInit_v2(void);
SLUICE_NVML nvmlInit(void);
SLUICE_NVML nvmlInitWithFlags(unsigned int flags);
SLUICE_NVML nvmlShutdown(void);
__attribute__((visibility("default"))) const char *nvmlErrorString(nvmlReturn_t result);
SLUICE_NVML nvmlSystemGetDriverVersion(char *text, unsigned int bytes);
SLUICE_NVML nvmlSystemGetNVMLVersion(char *text, unsigned int bytes);
SLUICE_NVML nvmlSystemGetCudaDriverVersion(int *version);
SLUICE_NVML nvmlSystemGetCudaDriverVersion_v2(int *version);

SLUICE_NVML nvmlDeviceGetCount_v2(unsigned int *count);
SLUICE_NVML nvmlDeviceGetCount(unsigned int *count);
SLUICE_NVML nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device);
SLUICE_NVML nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device);
SLUICE_NVML nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device);
SLUICE_NVML nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device);
SLUICE_NVML nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index);
SLUICE_NVML nvmlDeviceGetName(nvmlDevice_t device, char *text, unsigned int bytes);
SLUICE_NVML nvmlDeviceGetUUID(nvmlDevice_t device, char *text, unsigned int bytes);
SLUICE_NVML nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *info);
SLUICE_NVML nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *info);
SLUICE_NVML nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory);
SLUICE_NVML nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor);
SLUICE_NVML nvmlDeviceGetMultiProcessorCount(nvmlDevice_t device, unsigned int *count);
SLUICE_NVML nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *bits);
SLUICE_NVML nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz);
SLUICE_NVML nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz);
SLUICE_NVML nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz);

/* Not measured: NVML_ERROR_NOT_SUPPORTED. */
SLUICE_NVML nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                     unsigned int *celsius);
SLUICE_NVML nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts);
SLUICE_NVML nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *milliwatts);
SLUICE_NVML nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int *milliwatts);
SLUICE_NVML nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *millijoules);
SLUICE_NVML nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates);
SLUICE_NVML nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int *percent);
SLUICE_NVML nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count,
                                                 nvmlProcessInfo_t *processes);

#if defined(__cplusplus)
}
#endif

#endif
