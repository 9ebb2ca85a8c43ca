/* cudaCreateChannelDesc<T>(): what a texel of type T looks like. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
	return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define SLUICE_CHANNEL(type, n, bits, kind)                                                                  \
	template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>(void)                           \
	{                                                                                                    \
		return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,     \
		                             cudaChannelFormatKind##kind);                                   \
	}
#define SLUICE_CHANNELS(scalar, name, kind)                                                                  \
	SLUICE_CHANNEL(scalar, 1, (int)sizeof(scalar) * 8, kind)                                             \
	SLUICE_CHANNEL(name##1, 1, (int)sizeof(scalar) * 8, kind)                                            \
	SLUICE_CHANNEL(name##2, 2, (int)sizeof(scalar) * 8, kind)                                            \
	SLUICE_CHANNEL(name##4, 4, (int)sizeof(scalar) * 8, kind)
SLUICE_CHANNEL(char, 1, 8, Signed)
SLUICE_CHANNELS(signed char, char, Signed)
SLUICE_CHANNELS(unsigned char, uchar, Unsigned)
SLUICE_CHANNELS(short, short, Signed)
SLUICE_CHANNELS(unsigned short, ushort, Unsigned)
SLUICE_CHANNELS(int, int, Signed)
SLUICE_CHANNELS(unsigned int, uint, Unsigned)
SLUICE_CHANNELS(float, float, Float)
#undef SLUICE_CHANNELS
#undef SLUICE_CHANNEL

#endif
#endif
