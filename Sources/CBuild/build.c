#include "build.h"

#ifndef CAIRN_COMMIT
#define CAIRN_COMMIT ""
#endif

/* The compiler accepts #embed in every version of C, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char version[] = {
#embed "../../VERSION" suffix(, )
    0};

const char *cairn_build_version(void) { return version; }
const char *cairn_build_commit(void) { return CAIRN_COMMIT; }
