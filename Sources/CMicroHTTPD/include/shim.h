#pragma once
#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/epoll.h>    // not exported by Swift's Glibc; streams are watched with epoll
#include <sys/eventfd.h>  // not exported either; an eventfd wakes the thread that runs the library

// The daemon's callbacks in one struct, because MHD_start_daemon takes them as variadic arguments.
struct cairn_mhd_callbacks {
  void *context;
  MHD_AccessHandlerCallback access;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void (*log)(void *context, const char *line);
  // I/O observations while the library runs. `context` is the member above.
  // The library has received `count` bytes into `buffer`, whose size is `room`; 0 means that the client has closed. Returns the number of bytes
  // that the library may see, or -1 to make it fail the connection.
  ssize_t (*received)(void *context, int socket, void *buffer, size_t room, ssize_t count);
  // The library is about to answer a request by itself. This callback cannot prevent that; `sending` decides whether the bytes of the library's response are
  // sent.
  void (*refused)(void *context, struct MHD_Connection *connection, unsigned int status);
  // The library is about to send these bytes. Returns 0 to send them, 1 if other bytes were sent instead, or a negated errno to make the call fail.
  int (*sending)(void *context, int socket, const void *bytes, size_t count);
  // The library is about to shut down its side of the connection. Returns 0 to keep it open.
  int (*closing)(void *context, int socket);
};

// The daemon's settings, in one struct because they too are variadic arguments. Times are in seconds, sizes in bytes.
struct cairn_mhd_settings {
  unsigned int connections;
  unsigned int idle_seconds;
  size_t memory_per_connection;
};

// MHD_OPTION_EXTERNAL_LOGGER passes a va_list, which Swift cannot format. This function formats the line.
static void cairn_mhd_log(void *closure, const char *format, va_list arguments) {
  const struct cairn_mhd_callbacks *callbacks = (const struct cairn_mhd_callbacks *)closure;
  char line[512];
  if (vsnprintf(line, sizeof line, format, arguments) < 0) return;
  callbacks->log(callbacks->context, line);
}

// Starts a daemon. MHD_start_daemon is variadic, so Swift cannot call it. The library gets neither a thread nor a listening socket: Cairn calls MHD_run and
// MHD_add_connection. The logger must be the first option, because later options may log. `callbacks` must outlive the daemon, since the logger reads it.
// STRICT_FOR_CLIENT is 0 because the library sends two responses to a request that this option rejects.
static inline struct MHD_Daemon *cairn_mhd_start(const struct cairn_mhd_callbacks *callbacks,
                                                 const struct cairn_mhd_settings *settings) {
  return MHD_start_daemon(
    MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL,
    callbacks->access, callbacks->context,
    MHD_OPTION_EXTERNAL_LOGGER, &cairn_mhd_log, (void *)callbacks,
    MHD_OPTION_STRICT_FOR_CLIENT, (int)0,
    MHD_OPTION_CONNECTION_LIMIT, settings->connections,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection,
    MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
    MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
    MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
    MHD_OPTION_END);
}

// MHD_run with I/O observation. Calls `received`, `refused`, `sending` and `closing` on this thread.
void cairn_mhd_run(struct MHD_Daemon *daemon, const struct cairn_mhd_callbacks *callbacks);

// The library's own MHD_queue_response. The symbol of that name is defined in observe.c and is what the library calls.
enum MHD_Result cairn_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

// Whether the I/O of the library can be observed in this process, which depends on how the library was built. Tests this with a malformed request over a socket
// pair. Does not block.
int cairn_mhd_is_observed(void);

// The descriptor that is readable when MHD_run has something to do, or -1. MHD_get_daemon_info is variadic, so Swift cannot call it.
static inline int cairn_mhd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// The descriptor of a connection, or -1. MHD_get_connection_info is variadic, so Swift cannot call it.
static inline int cairn_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// The pointer that the connection callback stored for this connection, or NULL.
static inline void *cairn_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// The size of a head in bytes, from the first byte of the method to the last byte of the empty line, or 0.
static inline size_t cairn_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// The number of sent bytes that the other side has not acknowledged, or -1. ioctl is variadic, so Swift cannot call it.
int cairn_unacknowledged(int socket);

// Sends `pieces` without their first `gone` bytes, which were sent earlier. Does not block. Returns the number of bytes sent, or a negated errno.
ssize_t cairn_send(int socket, const struct iovec *pieces, int count, size_t gone);

// A response without a body. Cairn sends its own bytes instead of it. NULL if memory is exhausted.
static inline struct MHD_Response *cairn_mhd_empty_response(void) {
  return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
}
