/*
 * The CUDA runtime and CUDA C++: what every .cu file sees before its first
 * line, as `sluice cc` includes it.
 *
 * Device mathematics and the PTX builtins come from headers that are part of
 * clang (__clang_cuda_*); their order here is not free: declarations for the
 * device must stand before <cmath>, the rest after the vector types.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
#include "sluice/device_begin.h"
#endif

#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "vector_functions.h"

#if defined(__CUDA__) && defined(__clang__)
#include "sluice/device.h"
#endif

#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "sluice/runtime.h"
#include "sluice/runtime_attributes.h"
#endif

#if defined(__CUDA__) && defined(__clang__)
#include "cuda_device_runtime_api.h"
#include "sluice/managed.h"
#include "sluice/surface.h"
#include "sluice/texture.h"
#include "sluice/texture_host.h"
#include "sluice/unsupported.h"
#endif

#endif
