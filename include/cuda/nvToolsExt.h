/*
 * Ranges and marks for a profiler. There is none to show them: what can be
 * counted is (the nesting depth), the rest has no effect.
 */
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainHandle *nvtxDomainHandle_t;
typedef struct nvtxStringHandle *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN = 0,
	NVTX_MESSAGE_TYPE_ASCII = 1,
	NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType;
	int32_t reserved0;
	union {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
	} payload;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define SLUICE_NVTX static __inline__ __attribute__((unused))

SLUICE_NVTX int *sluice_nvtx_depth(void)
{
	static __thread int depth;
	return &depth;
}

/* The depth of the range begun or ended, as callers expect. */
SLUICE_NVTX int nvtxRangePushA(const char *message)
{
	(void)message;
	return (*sluice_nvtx_depth())++;
}

SLUICE_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
	(void)attributes;
	return (*sluice_nvtx_depth())++;
}

SLUICE_NVTX int nvtxRangePop(void)
{
	return --*sluice_nvtx_depth();
}

SLUICE_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message)
{
	(void)message;
	return 1;
}

SLUICE_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
	(void)attributes;
	return 1;
}

SLUICE_NVTX void nvtxRangeEnd(nvtxRangeId_t id)
{
	(void)id;
}

SLUICE_NVTX void nvtxMarkA(const char *message)
{
	(void)message;
}

SLUICE_NVTX void nvtxNameOsThreadA(uint32_t id, const char *name)
{
	(void)id, (void)name;
}

#undef SLUICE_NVTX
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA

#endif
