/* The version and the commit of the build. */
#ifndef CAIRN_BUILD_H
#define CAIRN_BUILD_H

/* The commit that was built, as the environment variable CAIRN_COMMIT said; an empty text: it did not. */
const char *cairn_build_commit(void);

#endif
