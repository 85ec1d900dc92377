// The functions that the standard library of Embedded Swift requires in addition to the C library of wasi-libc.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Seeds the hasher. The seed may be constant, because hash values never leave the engine.
void arc4random_buf(void *to, size_t count) { memset(to, 0x5A, count); }

// Multiplies two 128-bit integers.
typedef struct {
  uint64_t low, high;
} wide;

void __multi3(wide *product, uint64_t low, uint64_t high, uint64_t other_low, uint64_t other_high) {
  uint64_t a = low & 0xFFFFFFFF, b = low >> 32, c = other_low & 0xFFFFFFFF, d = other_low >> 32;
  uint64_t middle = b * c + (a * c >> 32);
  uint64_t carry = (middle & 0xFFFFFFFF) + a * d;
  product->low = low * other_low;
  product->high = b * d + (middle >> 32) + (carry >> 32) + low * other_high + high * other_low;
}

uintptr_t __stack_chk_guard = 0x5AA55AA5;

void __stack_chk_fail(void) { __builtin_trap(); }

// The C library's sbrk, with which malloc grows the memory, calls this function for an invalid size.
void abort(void) { __builtin_trap(); }
