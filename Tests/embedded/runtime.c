// The functions of a C library that the standard library of Embedded Swift needs for the probe. Memory is never freed.

typedef unsigned long size_t;
typedef unsigned long long u64;

extern unsigned char __heap_base;
static size_t end = 0;

__attribute__((import_module("host"), import_name("number"))) double host_number(const char *text, size_t length);

int posix_memalign(void **place, size_t alignment, size_t size) {
  if (end == 0) end = (size_t)&__heap_base;
  if (alignment < 16) alignment = 16;
  size_t start = (end + alignment - 1) & ~(alignment - 1);
  size_t limit = __builtin_wasm_memory_size(0) << 16;
  if (start + size > limit && __builtin_wasm_memory_grow(0, ((start + size - limit) >> 16) + 1) == (size_t)-1) return 12;
  *place = (void *)start;
  end = start + size;
  return 0;
}

void free(void *place) { (void)place; }

void *memcpy(void *to, const void *from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  while (count--) *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if ((size_t)to <= (size_t)from) return memcpy(to, from, count);
  unsigned char *target = (unsigned char *)to + count;
  const unsigned char *source = (const unsigned char *)from + count;
  while (count--) *--target = *--source;
  return to;
}

void *memset(void *to, int byte, size_t count) {
  unsigned char *target = to;
  while (count--) *target++ = (unsigned char)byte;
  return to;
}

int memcmp(const void *one, const void *other, size_t count) {
  const unsigned char *left = one, *right = other;
  for (; count--; left++, right++)
    if (*left != *right) return *left - *right;
  return 0;
}

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

// Seeds the hasher with a constant.
void arc4random_buf(void *to, size_t count) { memset(to, 0x5A, count); }

// Rounds halves away from zero.
double round(double number) {
  double whole = __builtin_trunc(number);
  double rest = number - whole;
  return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

// Parses the whole text as a number, and returns its end. The probe passes only valid numbers.
const char *_swift_stdlib_strtod_clocale(const char *text, double *number) {
  size_t length = strlen(text);
  *number = host_number(text, length);
  return text + length;
}

// Multiplies two 128-bit integers.
typedef struct { u64 low, high; } wide;

void __multi3(wide *product, u64 low, u64 high, u64 other_low, u64 other_high) {
  u64 a = low & 0xFFFFFFFF, b = low >> 32, c = other_low & 0xFFFFFFFF, d = other_low >> 32;
  u64 middle = b * c + (a * c >> 32);
  u64 carry = (middle & 0xFFFFFFFF) + a * d;
  product->low = low * other_low;
  product->high = b * d + (middle >> 32) + (carry >> 32) + low * other_high + high * other_low;
}

unsigned long __stack_chk_guard = 0x5AA55AA5;

void __stack_chk_fail(void) { __builtin_trap(); }

// Unoptimised code prints a message before it traps. The probe's host sees the trap itself.
int putchar(int character) { return character; }
