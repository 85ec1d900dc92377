#include "build.h"

/* Swift's CommandLine reads the arguments from /proc, which a chroot may not have. The C library passes them to functions that run before main, too. */
static int count;
static char **values;

__attribute__((constructor)) static void remember(int argc, char **argv) {
  count = argc;
  values = argv;
}

int cairn_argument_count(void) { return count; }
const char *cairn_argument(int index) { return values[index]; }
