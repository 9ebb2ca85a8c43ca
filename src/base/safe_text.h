/*
 * Text from files, on its way to a terminal, which obeys control characters:
 * a kernel's name could clear the screen or retitle the window.
 */
#ifndef SLUICE_BASE_SAFE_TEXT_H
#define SLUICE_BASE_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts '?' in place of every control character (C0, DEL, C1) and every byte that is no UTF-8. NULs stay, as do the
 * characters of `allowed`.
 */
void safe_text(char *text, size_t bytes, const char *allowed);
/* Nothing would be replaced. */
bool text_is_safe(const char *text, size_t bytes, const char *allowed);

#endif
