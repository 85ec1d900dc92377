/* The version and the commit of the build. */
#ifndef CAIRN_BUILD_H
#define CAIRN_BUILD_H

/* The content of the file VERSION, with its line break. */
const char *cairn_build_version(void);

/* The commit that was built, from the environment variable CAIRN_COMMIT; an empty text if the variable was not set. */
const char *cairn_build_commit(void);

#endif
