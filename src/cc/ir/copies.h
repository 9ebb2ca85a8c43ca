/*
 * Copies of small structures, in the intermediate code that clang's front end
 * makes of device code. clang copies a structure as bytes (llvm.memcpy), of
 * which its optimizer makes other pieces than the fields: a float4 of which one
 * field changes goes through local memory, another is copied by halves. nvcc
 * loads and stores fields, four at once where they are aligned for it. So does
 * what this writes in place of the copies.
 *
 * Nor does nvcc conclude from their types that two pointers differ: a loop that
 * stores integers loads a float again in each round. What the front end says of
 * types (!tbaa) is read, for the fields, and left out.
 */
#ifndef SLUICE_CC_IR_COPIES_H
#define SLUICE_CC_IR_COPIES_H

enum { IR_COPY_MAX_BYTES = 128 };

/* The module, for the caller to free; NULL: there is nothing to rewrite. */
char *ir_rewrite_copies(const char *module);

#endif
