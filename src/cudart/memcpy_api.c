/* cudaMemcpy and cudaMemset in one, two and three dimensions, on plain memory and symbols; arrays: array.c. */
#include "cudart/calls.h"
#include "cudart/copy.h"

/* ---- plain ---------------------------------------------------------------------------------------------- */

static cudaError_t copy_2d(struct runtime *rt, struct copy_side to, struct copy_side from,
                           struct copy_box box, enum cudaMemcpyKind kind)
{
	if (!copy_kind(rt, kind, device_host(to.address), device_host(from.address), &to.is_device,
	               &from.is_device))
		return cudaErrorInvalidMemcpyDirection;
	to.kind = kind;
	return copy_box(rt, to, from, box);
}

static cudaError_t copy_1d(struct runtime *rt, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind)
{
	return copy_2d(rt, copy_linear(to, false), copy_linear(from, false),
	               (struct copy_box){.width = bytes, .height = 1, .depth = 1}, kind);
}

/* It waits for the device, so it also says what went wrong there; the copy is done all the same. */
static cudaError_t copy_and_wait(struct runtime *rt, void *to, const void *from, size_t bytes,
                                 enum cudaMemcpyKind kind)
{
	cudaError_t result = copy_1d(rt, to, from, bytes, kind);
	return result ? result : runtime_waited(rt);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	RUNTIME_LEGACY(copy_and_wait(rt, to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_1d(rt, to, from, bytes, kind)));
}

static cudaError_t copy_peer(struct runtime *rt, void *to, int to_device, const void *from, int from_device,
                             size_t bytes)
{
	if (to_device || from_device)
		return cudaErrorInvalidDevice;
	return copy_1d(rt, to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	RUNTIME_LEGACY(copy_peer(rt, to, to_device, from, from_device, bytes));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_peer(rt, to, to_device, from, from_device, bytes)));
}

/* ---- pitched -------------------------------------------------------------------------------------------- */

struct pitched {
	const void *at;
	size_t pitch;
};

static cudaError_t copy_pitched(struct runtime *rt, struct pitched to, struct pitched from, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
	if (width > to.pitch || width > from.pitch)
		return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
	return copy_2d(rt, (struct copy_side){.address = (uintptr_t)to.at, .pitch = to.pitch},
	               (struct copy_side){.address = (uintptr_t)from.at, .pitch = from.pitch},
	               (struct copy_box){.width = width, .height = height, .depth = 1}, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
	RUNTIME_LEGACY(copy_pitched(rt, (struct pitched){to, to_pitch}, (struct pitched){from, from_pitch},
	                            width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	RUNTIME_CALL(
	    ON_STREAM(stream, copy_pitched(rt, (struct pitched){to, to_pitch},
	                                   (struct pitched){from, from_pitch}, width, height, kind)));
}

/* ---- symbols -------------------------------------------------------------------------------------------- */

static cudaError_t symbol_place(struct runtime *rt, const void *symbol, size_t bytes, size_t offset,
                                uint64_t *address)
{
	uint64_t size;
	cudaError_t result = registry_variable(rt, symbol, address, &size);
	if (result)
		return result;
	*address += offset;
	return offset > size || bytes > size - offset ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t copy_to_symbol(struct runtime *rt, const void *symbol, const void *from, size_t bytes,
                                  size_t offset, enum cudaMemcpyKind kind)
{
	uint64_t address;
	if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	cudaError_t result = symbol_place(rt, symbol, bytes, offset, &address);
	return result ? result : copy_1d(rt, device_host(address), from, bytes, kind);
}

static cudaError_t copy_from_symbol(struct runtime *rt, void *to, const void *symbol, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind)
{
	uint64_t address;
	if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	cudaError_t result = symbol_place(rt, symbol, bytes, offset, &address);
	return result ? result : copy_1d(rt, to, device_host(address), bytes, kind);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
	RUNTIME_LEGACY(copy_to_symbol(rt, symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_to_symbol(rt, symbol, from, bytes, offset, kind)));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
	RUNTIME_LEGACY(copy_from_symbol(rt, to, symbol, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_from_symbol(rt, to, symbol, bytes, offset, kind)));
}

static cudaError_t symbol_facts(struct runtime *rt, const void *symbol, void **address_out, size_t *bytes_out)
{
	uint64_t address, bytes;
	if (!address_out && !bytes_out)
		return cudaErrorInvalidValue;
	cudaError_t result = registry_variable(rt, symbol, &address, &bytes);
	if (!result && address_out)
		*address_out = device_host(address);
	if (!result && bytes_out)
		*bytes_out = bytes;
	return result;
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
	RUNTIME_CALL(symbol_facts(rt, symbol, out, NULL));
}

cudaError_t cudaGetSymbolSize(size_t *out, const void *symbol)
{
	RUNTIME_CALL(symbol_facts(rt, symbol, NULL, out));
}

/* ---- filling -------------------------------------------------------------------------------------------- */

static cudaError_t fill(struct runtime *rt, struct copy_side to, int value, struct copy_box box)
{
	to.is_device = true;
	return copy_fill(rt, to, (struct copy_value){(uint8_t)value, 1}, box);
}

static struct copy_side fill_3d_side(struct cudaPitchedPtr to)
{
	return (struct copy_side){
	    .address = (uintptr_t)to.ptr, .pitch = to.pitch, .slice = to.pitch * to.ysize};
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
	RUNTIME_LEGACY(fill(rt, copy_linear(to, true), value, (struct copy_box){bytes, 1, 1}));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
	RUNTIME_CALL(
	    ON_STREAM(stream, fill(rt, copy_linear(to, true), value, (struct copy_box){bytes, 1, 1})));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
	RUNTIME_LEGACY(fill(rt, (struct copy_side){.address = (uintptr_t)to, .pitch = pitch}, value,
	                    (struct copy_box){width, height, 1}));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, fill(rt, (struct copy_side){.address = (uintptr_t)to, .pitch = pitch},
	                                    value, (struct copy_box){width, height, 1})));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
	RUNTIME_LEGACY(
	    fill(rt, fill_3d_side(to), value, (struct copy_box){extent.width, extent.height, extent.depth}));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, fill(rt, fill_3d_side(to), value,
	                                    (struct copy_box){extent.width, extent.height, extent.depth})));
}
