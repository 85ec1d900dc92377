#include "build.h"

#ifndef CAIRN_COMMIT
#define CAIRN_COMMIT ""
#endif

/* The compiler accepts #embed in every version of C, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char version[] = {
#embed "../../VERSION" suffix(, )
    0};

/* The package manager writes this file before it compiles. It does so only for the package that it builds, not for a dependency. */
static const char packages[] = {
#if __has_embed("../../Package.resolved")
#embed "../../Package.resolved" suffix(, )
#endif
    0};

const char *cairn_build_version(void) { return version; }
const char *cairn_build_commit(void) { return CAIRN_COMMIT; }
const char *cairn_build_compiler(void) { return __VERSION__; }
const char *cairn_build_packages(void) { return packages; }
