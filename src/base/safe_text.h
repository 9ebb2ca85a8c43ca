/*
 * Text from files for terminals, which obey control characters: the name of a
 * kernel could clear the screen or retitle the window.
 */
#ifndef SLUICE_BASE_SAFE_TEXT_H
#define SLUICE_BASE_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Put '?' in place of every control character (C0, DEL, C1) and every byte that is no UTF-8. NULs stay, as do the
 * characters of `allowed`.
 */
void safe_text(char *text, size_t bytes, const char *allowed);
/* Return whether safe_text() would leave the text as it is. */
bool text_is_safe(const char *text, size_t bytes, const char *allowed);

#endif
