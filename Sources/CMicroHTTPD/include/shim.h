#pragma once
#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/epoll.h>    // which Swift's Glibc does not show; streams are watched by it
#include <sys/eventfd.h>  // the same; what drives the library is woken by one

// The daemon's callbacks in one struct, because MHD_start_daemon takes them as variadic arguments.
struct cairn_mhd_callbacks {
  void *context;
  MHD_AccessHandlerCallback access;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void (*log)(void *context, const char *line);
  // I/O observations of the library while it runs, with `context` as above.
  // The library has received `count` bytes into `buffer`, which has room for `room`; 0 means that the client has closed. Returns how many
  // bytes the library gets to see, or -1 for a failed connection.
  ssize_t (*received)(void *context, int socket, void *buffer, size_t room, ssize_t count);
  // The library is about to answer a request itself. It may continue, but `sending` decides whether its bytes are sent.
  void (*refused)(void *context, struct MHD_Connection *connection, unsigned int status);
  // The library is about to send bytes. Returns 0 to send them, 1 if they or other bytes have been sent, or a negated errno if nothing can
  // be sent.
  int (*sending)(void *context, int socket, const void *bytes, size_t count);
  // The library is about to shut down its side of the connection; return 0 to keep it open.
  int (*closing)(void *context, int socket);
};

// The daemon's settings, for the same reason. Times are in seconds, sizes in bytes.
struct cairn_mhd_settings {
  unsigned int connections;
  unsigned int idle_seconds;
  size_t memory_per_connection;
};

// MHD_OPTION_EXTERNAL_LOGGER passes a va_list, which Swift cannot format, so the line is formatted here.
static void cairn_mhd_log(void *closure, const char *format, va_list arguments) {
  const struct cairn_mhd_callbacks *callbacks = (const struct cairn_mhd_callbacks *)closure;
  char line[512];
  if (vsnprintf(line, sizeof line, format, arguments) < 0) return;
  callbacks->log(callbacks->context, line);
}

// MHD_start_daemon is variadic, so Swift cannot call it. The library gets no thread and no listening socket: the package calls MHD_run and passes connections
// with MHD_add_connection. The logger is the first option, because later options may already log.
// `callbacks` must outlive the daemon, because the logger reads it. STRICT_FOR_CLIENT stays 0, because the library answers twice what it refuses.
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

// MHD_run with I/O observation: calls `received`, `refused`, `sending` and `closing` on this thread.
void cairn_mhd_run(struct MHD_Daemon *daemon, const struct cairn_mhd_callbacks *callbacks);

// The original MHD_queue_response. The symbol of that name is this package's and is called by the library.
enum MHD_Result cairn_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

// Whether the library's I/O can be observed in this process, which depends on how the library was built. Tests it with a malformed request.
int cairn_mhd_is_observed(void);

// MHD_get_daemon_info is variadic, so Swift cannot call it. The descriptor that is readable when MHD_run has something to do, or -1.
static inline int cairn_mhd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// MHD_get_connection_info is variadic, so Swift cannot call it. The descriptor, or -1.
static inline int cairn_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// As above: what the connection callback stored for this connection, or NULL.
static inline void *cairn_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// As above: bytes from the method's first to the last of the empty line that ends the head, or 0.
static inline size_t cairn_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// ioctl is variadic. Bytes that the other side has not acknowledged, or -1.
int cairn_unacknowledged(int socket);

// Sends the rest of these pieces, of which the first `gone` bytes have been sent before. Returns the number of bytes sent now, or a negated errno.
ssize_t cairn_send(int socket, const struct iovec *pieces, int count, size_t gone);

// A response without a body, which the library never sends: the package sends its own bytes instead. NULL if out of memory.
static inline struct MHD_Response *cairn_mhd_empty_response(void) {
  return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
}
