/*
 * Ranges and marks for a profiler. Ranges reach the runtime, which can record the launches inside one (--nvtx NAME);
 * domains, colours, categories and marks have no effect.
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
	NVTX_MESSAGE_TYPE_UNICODE = 2,
	NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
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

#ifdef __cplusplus
extern "C" {
#endif
/* Of the runtime, which records the launches of a range (sluice record --nvtx); absent from files that do not link it. */
extern int sluice_nvtx_push(const char *name) __attribute__((weak));
extern int sluice_nvtx_pop(void) __attribute__((weak));
extern uint64_t sluice_nvtx_start(const char *name) __attribute__((weak));
extern void sluice_nvtx_end(uint64_t id) __attribute__((weak));
#ifdef __cplusplus
}
#endif

#define SLUICE_NVTX static __inline__ __attribute__((unused))

SLUICE_NVTX int *sluice_nvtx_depth(void)
{
	static __thread int depth;
	return &depth;
}

SLUICE_NVTX const char *sluice_nvtx_narrow(const wchar_t *message, char *text, size_t bytes)
{
	size_t i = 0;
	for (; message && message[i] && i + 1 < bytes; i++)
		text[i] = message[i] < 128 ? (char)message[i] : '?';
	text[i] = 0;
	return text;
}

SLUICE_NVTX const char *sluice_nvtx_message(const nvtxEventAttributes_t *attributes, char *text, size_t bytes)
{
	if (!attributes)
		return "";
	if (attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE)
		return sluice_nvtx_narrow(attributes->message.unicode, text, bytes);
	if (attributes->messageType == NVTX_MESSAGE_UNKNOWN)
		return "";
	return attributes->message.ascii; /* a registered string is the text itself */
}

/* The depth of the range begun or ended, as callers expect. */
SLUICE_NVTX int nvtxRangePushA(const char *message)
{
	return sluice_nvtx_push ? sluice_nvtx_push(message) : (*sluice_nvtx_depth())++;
}

SLUICE_NVTX int nvtxRangePushW(const wchar_t *message)
{
	char text[256];
	return nvtxRangePushA(sluice_nvtx_narrow(message, text, sizeof text));
}

SLUICE_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
	char text[256];
	return nvtxRangePushA(sluice_nvtx_message(attributes, text, sizeof text));
}

SLUICE_NVTX int nvtxRangePop(void)
{
	return sluice_nvtx_pop ? sluice_nvtx_pop() : --*sluice_nvtx_depth();
}

SLUICE_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message)
{
	return sluice_nvtx_start ? sluice_nvtx_start(message) : 1;
}

SLUICE_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t *message)
{
	char text[256];
	return nvtxRangeStartA(sluice_nvtx_narrow(message, text, sizeof text));
}

SLUICE_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
	char text[256];
	return nvtxRangeStartA(sluice_nvtx_message(attributes, text, sizeof text));
}

SLUICE_NVTX void nvtxRangeEnd(nvtxRangeId_t id)
{
	if (sluice_nvtx_end)
		sluice_nvtx_end(id);
}

SLUICE_NVTX void nvtxMarkA(const char *message)
{
	(void)message;
}

SLUICE_NVTX void nvtxMarkW(const wchar_t *message)
{
	(void)message;
}

SLUICE_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
	(void)attributes;
}

SLUICE_NVTX void nvtxNameOsThreadA(uint32_t id, const char *name)
{
	(void)id, (void)name;
}

SLUICE_NVTX void nvtxNameCategoryA(uint32_t category, const char *name)
{
	(void)category, (void)name;
}

/* ---- domains: their ranges are found by name like all others ------------------------------------------------- */

SLUICE_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
	return (nvtxDomainHandle_t)(uintptr_t)name;
}

SLUICE_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain)
{
	(void)domain;
}

SLUICE_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text)
{
	(void)domain;
	return (nvtxStringHandle_t)(uintptr_t)text;
}

SLUICE_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	(void)domain;
	return nvtxRangePushEx(attributes);
}

SLUICE_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
	(void)domain;
	return nvtxRangePop();
}

SLUICE_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                 const nvtxEventAttributes_t *attributes)
{
	(void)domain;
	return nvtxRangeStartEx(attributes);
}

SLUICE_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
	(void)domain;
	nvtxRangeEnd(id);
}

SLUICE_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	(void)domain, (void)attributes;
}

SLUICE_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
	(void)domain, (void)category, (void)name;
}

#undef SLUICE_NVTX
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA

#endif
