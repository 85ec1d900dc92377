// Observes the I/O of libmicrohttpd. The library responds to malformed requests by itself: version 0.9.75 sometimes sends two responses, sometimes none. It
// also accepts line ends in chunks that other servers reject. No setting changes either behavior. But the library calls MHD_queue_response, recv, send, sendmsg
// and shutdown through the dynamic linker, which finds the functions of this file first. These functions behave as usual for other callers, and on threads that
// are not running the library.
#define _GNU_SOURCE
#include "shim.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The callbacks of the daemon that runs on this thread; NULL while the library does not run on it.
static _Thread_local const struct cairn_mhd_callbacks *listener;

void cairn_mhd_run(struct MHD_Daemon *daemon, const struct cairn_mhd_callbacks *callbacks) {
  listener = callbacks;
  MHD_run(daemon);
  listener = NULL;
}

typedef enum MHD_Result (*queue_function)(struct MHD_Connection *, unsigned int, struct MHD_Response *);

enum MHD_Result cairn_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  // Several threads may look the address up at the same time. No lock is needed, because all of them find the same address.
  static queue_function found;
  queue_function queue = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (!queue) {
    queue = (queue_function)dlsym(RTLD_NEXT, "MHD_queue_response");
    __atomic_store_n(&found, queue, __ATOMIC_RELAXED);
  }
  return queue ? queue(connection, status, response) : MHD_NO;
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  // MHD_NO must not be returned: 0.9.75 would close the connection and then read freed memory (after a Cookie without end).
  if (listener) listener->refused(listener->context, connection, status);
  return cairn_mhd_queue(connection, status, response);
}

ssize_t recv(int socket, void *buffer, size_t room, int flags) {
  ssize_t count = recvfrom(socket, buffer, room, flags, NULL, NULL);
  if (!listener || count < 0) return count;
  count = listener->received(listener->context, socket, buffer, room, count);
  if (count < 0) errno = ECONNRESET;
  return count;
}

// Observes a send of `all` bytes by the library, of which the first `count` are at `bytes`. Returns 0 if the library must send the bytes itself, otherwise the
// result that the library's call returns.
static ssize_t heard(int socket, const void *bytes, size_t count, size_t all) {
  int result = listener ? listener->sending(listener->context, socket, bytes, count) : 0;
  if (result >= 0) return result ? (ssize_t)all : 0;
  errno = -result;
  return -1;
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  ssize_t result = heard(socket, bytes, count, count);
  return result ? result : sendto(socket, bytes, count, flags, NULL, 0);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  size_t all = 0;
  for (size_t index = 0; index < message->msg_iovlen; index++) all += message->msg_iov[index].iov_len;
  ssize_t result = message->msg_iovlen ? heard(socket, message->msg_iov->iov_base, message->msg_iov->iov_len, all) : 0;
  return result ? result : syscall(SYS_sendmsg, socket, message, flags);
}

ssize_t cairn_send(int socket, const struct iovec *pieces, int count, size_t gone) {
  struct iovec left[8];
  struct msghdr message = {.msg_iov = left};
  for (int index = 0; index < count && message.msg_iovlen < 8; index++) {
    size_t skipped = gone < pieces[index].iov_len ? gone : pieces[index].iov_len;
    gone -= skipped;
    if (skipped == pieces[index].iov_len) continue;
    left[message.msg_iovlen].iov_base = (char *)pieces[index].iov_base + skipped;
    left[message.msg_iovlen++].iov_len = pieces[index].iov_len - skipped;
  }
  ssize_t sent = message.msg_iovlen ? syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
  return sent < 0 ? -errno : sent;
}

int shutdown(int socket, int how) {
  if (listener && !listener->closing(listener->context, socket)) return 0;
  return (int)syscall(SYS_shutdown, socket, how);
}

int cairn_unacknowledged(int socket) {
  int count = -1;
  return ioctl(socket, SIOCOUTQ, &count) ? -1 : count;
}

// The test of the observation: a malformed Content-Length must be observed when it is received, when the library rejects and answers it, and when the
// connection is closed.

static ssize_t heard_received(void *heard, int socket, void *buffer, size_t room, ssize_t count) {
  (void)socket, (void)buffer, (void)room;
  *(int *)heard |= 1;
  return count;
}
static void heard_refused(void *heard, struct MHD_Connection *connection, unsigned int status) {
  (void)connection, (void)status;
  *(int *)heard |= 2;
}
static int heard_sending(void *heard, int socket, const void *bytes, size_t count) {
  (void)socket, (void)bytes, (void)count;
  *(int *)heard |= 8;
  return -EPIPE;
}
static int heard_closing(void *heard, int socket) {
  (void)socket;
  *(int *)heard |= 4;
  return 1;
}
static enum MHD_Result no_access(void *heard, struct MHD_Connection *connection, const char *target, const char *method,
                                 const char *version, const char *upload, size_t *size, void **slot) {
  (void)heard, (void)connection, (void)target, (void)method, (void)version, (void)upload, (void)size, (void)slot;
  return MHD_NO;
}
static void *no_target(void *heard, const char *target, struct MHD_Connection *connection) {
  (void)heard, (void)target, (void)connection;
  return NULL;
}
static void no_completion(void *heard, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode code) {
  (void)heard, (void)connection, (void)slot, (void)code;
}
static void no_connection(void *heard, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode code) {
  (void)heard, (void)connection, (void)slot, (void)code;
}
static void no_log(void *heard, const char *line) { (void)heard, (void)line; }

int cairn_mhd_is_observed(void) {
  static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n";
  int heard = 0;
  int ends[2];
  struct cairn_mhd_callbacks callbacks = {&heard, no_access, no_target, no_completion, no_connection,
                                          no_log, heard_received, heard_refused, heard_sending, heard_closing};
  struct cairn_mhd_settings settings = {4, 1, 8192};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends)) return 0;
  struct MHD_Daemon *daemon = cairn_mhd_start(&callbacks, &settings);
  struct sockaddr_in nobody = {.sin_family = AF_INET};
  if (daemon && send(ends[1], request, sizeof request - 1, MSG_NOSIGNAL) > 0 &&
      MHD_add_connection(daemon, ends[0], (const struct sockaddr *)&nobody, sizeof nobody) == MHD_YES) {
    for (int round = 0; round < 8 && heard != 15; round++) cairn_mhd_run(daemon, &callbacks);
  } else if (!daemon) {
    close(ends[0]);
  }
  if (daemon) MHD_stop_daemon(daemon);
  close(ends[1]);
  return heard == 15;
}
