/* What a system with one GPU answers to questions about peers and other processes. */
#include "check.h"

int main(void)
{
	int count = 0, can = -1, value = -1, device = -1;
	CUDA(cudaGetDeviceCount(&count));
	check_equal("devices", count, 1);
	expect("access to itself", cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
	check_equal("is no peer access", can, 0);
	expect("access to a device that is none", cudaDeviceCanAccessPeer(&can, 0, 1),
	       cudaErrorInvalidDevice);
	expect("enabling itself", cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
	expect("enabling a device that is none", cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
	expect("disabling itself", cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
	expect("an attribute of a pair",
	       cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1),
	       cudaErrorInvalidDevice);
	expect("choosing another device", cudaSetDevice(1), cudaErrorInvalidDevice);
	CUDA(cudaGetDevice(&device));
	check_equal("the current device", device, 0);

	char *memory, *again;
	cudaIpcMemHandle_t handle;
	CUDA(cudaMalloc(&memory, 1 << 20));
	expect("a handle for other processes", cudaIpcGetMemHandle(&handle, memory), cudaSuccess);
	expect("opened by its own",
	       cudaIpcOpenMemHandle((void **)&again, handle, cudaIpcMemLazyEnablePeerAccess),
	       cudaErrorDeviceUninitialized);
	expect("closing what was not opened", cudaIpcCloseMemHandle(memory), cudaErrorInvalidValue);
	cudaEvent_t event, plain;
	cudaIpcEventHandle_t event_handle;
	expect("a shared event that is timed", cudaEventCreateWithFlags(&event, cudaEventInterprocess),
	       cudaErrorInvalidValue);
	CUDA(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
	     cudaEventCreate(&plain));
	expect("a handle of an event", cudaIpcGetEventHandle(&event_handle, event), cudaSuccess);
	expect("of one that is not shared", cudaIpcGetEventHandle(&event_handle, plain),
	       cudaErrorInvalidResourceHandle);
	expect("a copy to itself as a peer", cudaMemcpyPeer(memory, 0, memory + 4096, 0, 4096), cudaSuccess);
	expect("a copy to a device that is none", cudaMemcpyPeer(memory, 1, memory + 4096, 0, 4096),
	       cudaErrorInvalidDevice);
	struct cudaMemcpy3DPeerParms box = {};
	box.srcPtr = make_cudaPitchedPtr(memory, 64, 64, 4);
	box.dstPtr = make_cudaPitchedPtr(memory + 8192, 64, 64, 4);
	box.extent = make_cudaExtent(64, 4, 1);
	expect("a box to itself as a peer", cudaMemcpy3DPeer(&box), cudaSuccess);
	CUDA(cudaDeviceSynchronize(), cudaFree(memory));
	return check_finish("one_device");
}
