/* Facts of the build, and the arguments of the process: Swift code cannot read the first, and reads the second only where /proc is mounted. */
#ifndef CAIRN_BUILD_H
#define CAIRN_BUILD_H

/* The content of the file VERSION, with its line break. */
const char *cairn_build_version(void);

/* The commit that was built, from the environment variable CAIRN_COMMIT; an empty text if the variable was not set. */
const char *cairn_build_commit(void);

/* The name and the version of the C compiler, which is part of the Swift toolchain. */
const char *cairn_build_compiler(void);

/* The content of Package.resolved, with the versions of the Swift packages; an empty text if the file did not exist. */
const char *cairn_build_packages(void);

/* The number of arguments, including the name of the program. */
int cairn_argument_count(void);

/* The argument at an index from 0 to the number minus 1. Valid until the process ends. */
const char *cairn_argument(int index);

#endif
