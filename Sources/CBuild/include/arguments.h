/* The arguments of the process, without /proc. */
#ifndef CAIRN_ARGUMENTS_H
#define CAIRN_ARGUMENTS_H

/* The number of arguments, including the name of the program. */
int cairn_argument_count(void);

/* The argument at an index from 0 to the number minus 1. Valid until the process ends. */
const char *cairn_argument(int index);

#endif
