/*
 * Copies of small structures, in the intermediate code that clang's front end makes of device code. clang copies a
 * structure as bytes (llvm.memcpy), which its optimizer splits otherwise than by fields: a float4 of which one field
 * changes goes through local memory, another is copied in halves. nvcc loads and stores fields, four at once where
 * they are aligned for it, and so does the code that takes the place of the copies.
 *
 * nvcc does not conclude from their types that two pointers differ: a loop that stores integers loads a float again in
 * each iteration. So the front end's types (!tbaa) are read for the fields, and left out.
 */
#ifndef SLUICE_CC_IR_COPIES_H
#define SLUICE_CC_IR_COPIES_H

enum { IR_COPY_MAX_BYTES = 128 };

/* Return the module with its copies rewritten, for the caller to free; NULL if none changes. */
char *ir_rewrite_copies(const char *module);

#endif
