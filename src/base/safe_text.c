#include "base/safe_text.h"

#include <string.h>

/* Bytes of the UTF-8 character at `text`; 0: none, or a C1 control (U+0080 to U+009F). */
static size_t utf8_bytes(const unsigned char *text, size_t left)
{
	size_t bytes = *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
	if (!bytes || bytes > left || (*text == 0xc2 && text[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, and what lies beyond Unicode. */
	if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return bytes;
}

/* Bytes at `text` that may stay; 0: the first may not. */
static size_t safe_bytes(const char *text, size_t left, const char *allowed)
{
	unsigned char c = (unsigned char)*text;
	if (c >= 0x80)
		return utf8_bytes((const unsigned char *)text, left);
	return !c || (c >= 0x20 && c != 0x7f) || strchr(allowed, c);
}

void safe_text(char *text, size_t bytes, const char *allowed)
{
	for (size_t i = 0; i < bytes;) {
		size_t n = safe_bytes(text + i, bytes - i, allowed);
		if (!n)
			text[i] = '?';
		i += n ? n : 1;
	}
}

bool text_is_safe(const char *text, size_t bytes, const char *allowed)
{
	for (size_t i = 0, n; i < bytes; i += n)
		if (!(n = safe_bytes(text + i, bytes - i, allowed)))
			return false;
	return true;
}
