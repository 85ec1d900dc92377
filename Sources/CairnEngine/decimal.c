// Reads decimal numbers as doubles, rounded to the nearest, ties to even. The C library's strtod reads streams and would require imports. Correct for all
// lengths: the value is computed exactly as a fraction of two large integers, and rounded by its first 63 or 64 bits and by whether a remainder is left.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WORDS = 320, DIGITS = 800 };

// A natural number below 2^(32 * WORDS), lowest word first. Words from `count` on are not set.
typedef struct {
  uint32_t words[WORDS];
  int count;
} natural;

static void multiply_add(natural *number, uint32_t factor, uint32_t summand) {
  uint64_t carry = summand;
  for (int i = 0; i < number->count; i++) {
    carry += (uint64_t)number->words[i] * factor;
    number->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) number->words[number->count++] = (uint32_t)carry;
}

static void multiply_power_of_ten(natural *number, int power) {
  for (; power >= 9; power -= 9) multiply_add(number, 1000000000, 0);
  for (; power > 0; power--) multiply_add(number, 10, 0);
}

static int bit_length(const natural *number) {
  return number->count ? 32 * number->count - __builtin_clz(number->words[number->count - 1]) : 0;
}

static void shift_left(natural *number, int bits) {
  int words = bits / 32;
  if (number->count == 0) return;
  memmove(number->words + words, number->words, (size_t)number->count * 4);
  memset(number->words, 0, (size_t)words * 4);
  number->count += words;
  if (bits % 32) multiply_add(number, 1u << bits % 32, 0);
}

static void halve(natural *number) {
  for (int i = 0; i < number->count; i++) {
    uint32_t above = i + 1 < number->count ? number->words[i + 1] : 0;
    number->words[i] = number->words[i] >> 1 | above << 31;
  }
  if (number->count && number->words[number->count - 1] == 0) number->count--;
}

static int is_less(const natural *left, const natural *right) {
  if (left->count != right->count) return left->count < right->count;
  for (int i = left->count - 1; i >= 0; i--)
    if (left->words[i] != right->words[i]) return left->words[i] < right->words[i];
  return 0;
}

static void subtract(natural *number, const natural *other) {
  int64_t borrow = 0;
  for (int i = 0; i < number->count; i++) {
    borrow += (int64_t)number->words[i] - (i < other->count ? other->words[i] : 0);
    number->words[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
  while (number->count && number->words[number->count - 1] == 0) number->count--;
}

// The double nearest to quotient * 2^exponent. `has_rest` means that the exact value is larger, by less than 2^exponent.
static double rounded(uint64_t quotient, int exponent, int has_rest) {
  int length = 64 - __builtin_clzll(quotient);
  int leading = length - 1 + exponent;
  if (leading > 1023) return __builtin_inf();
  // Below the smallest normal number the precision is lower.
  int precision = leading >= -1022 ? 53 : 53 + 1022 + leading;
  if (precision < 0) return 0;
  int drop = length - precision;
  uint64_t kept = drop >= 64 ? 0 : quotient >> drop;
  uint64_t rest = drop >= 64 ? quotient : quotient & ((UINT64_C(1) << drop) - 1);
  uint64_t half = UINT64_C(1) << (drop - 1);
  if (rest > half || (rest == half && (has_rest || kept & 1))) kept++;
  // A carry out of the fraction raises the exponent by itself.
  uint64_t bits = leading >= -1022 ? ((uint64_t)(leading + 1022) << 52) + kept : kept;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

// The double nearest to digits * 10^power. The digits are not empty and begin with a digit other than 0.
static double exact(const uint8_t *digits, int count, int power) {
  static natural numerator, denominator;
  // The value is at least 10^(count - 1 + power), and below ten times that.
  if (count + power > 310) return __builtin_inf();
  if (count + power < -330) return 0;
  numerator.count = 0;
  for (int i = 0; i < count; i++) multiply_add(&numerator, 10, digits[i]);
  denominator.count = 1;
  denominator.words[0] = 1;
  if (power >= 0) multiply_power_of_ten(&numerator, power);
  else multiply_power_of_ten(&denominator, -power);
  int shift = 63 - (bit_length(&numerator) - bit_length(&denominator));
  if (shift > 0) shift_left(&numerator, shift);
  // Aligns the denominator with the highest bit of the quotient, which is below 2^64.
  shift_left(&denominator, 63 + (shift < 0 ? -shift : 0));
  uint64_t quotient = 0;
  for (int bit = 63; bit >= 0; bit--) {
    if (!is_less(&numerator, &denominator)) {
      subtract(&numerator, &denominator);
      quotient |= UINT64_C(1) << bit;
    }
    halve(&denominator);
  }
  return rounded(quotient, -shift, numerator.count > 0);
}

static const char *skip_digits(const char *text) {
  while (*text >= '0' && *text <= '9') text++;
  return text;
}

// Called by Swift's Double(_: String). Returns the end of the number, or NULL if the text is not a decimal number.
const char *_swift_stdlib_strtod_clocale(const char *text, double *number) {
  static uint8_t digits[DIGITS + 1];
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int is_negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  const char *whole = text, *point = skip_digits(text), *end = point;
  if (*point == '.') end = skip_digits(point + 1);
  if (end - whole - (*point == '.') <= 0) return NULL;
  int count = 0, power = 0, has_rest = 0;
  for (const char *place = whole; place < end; place++) {
    if (*place == '.') continue;
    if (place > point) power--;
    if (count == 0 && *place == '0') continue;
    if (count < DIGITS) {
      digits[count++] = (uint8_t)(*place - '0');
    } else {
      // Further digits only matter if one of them is not 0.
      power++;
      has_rest |= *place != '0';
    }
  }
  if (*end == 'e' || *end == 'E') {
    const char *exponent = end + 1;
    int is_small = *exponent == '-';
    if (*exponent == '-' || *exponent == '+') exponent++;
    const char *last = skip_digits(exponent);
    if (last == exponent) return NULL;
    int value = 0;
    for (; exponent < last; exponent++)
      if (value < 100000) value = 10 * value + (*exponent - '0');
    power += is_small ? -value : value;
    end = last;
  }
  if (has_rest) digits[count++] = 1, power--;
  double result = 0;
  if (count > 0 && count <= 15 && power >= -22 && power <= 22) {
    // Both operands are exact, so one operation rounds correctly.
    for (int i = 0; i < count; i++) result = 10 * result + digits[i];
    result = power < 0 ? result / powers[-power] : result * powers[power];
  } else if (count > 0) {
    result = exact(digits, count, power);
  }
  *number = is_negative ? -result : result;
  return end;
}
