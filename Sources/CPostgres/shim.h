#pragma once
#include <postgresql/libpq-fe.h>
#include <sys/eventfd.h>  // not exported by Glibc; an eventfd wakes the thread of the signals
