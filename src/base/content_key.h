/* Keys of content: a digest of parts, each behind its length, so that no two lists of parts are the same bytes. */
#ifndef SLUICE_BASE_CONTENT_KEY_H
#define SLUICE_BASE_CONTENT_KEY_H

#include <stdint.h>
#include <string.h>
#include <xxhash.h>

static inline void key_add(XXH3_state_t *key, const void *data, size_t bytes)
{
	uint64_t length = bytes;
	XXH3_128bits_update(key, &length, sizeof length);
	XXH3_128bits_update(key, data, bytes);
}

static inline void key_add_text(XXH3_state_t *key, const char *text)
{
	key_add(key, text, strlen(text));
}

#endif
