/* The lower bound for any service on libmicrohttpd: epoll threads that read a request with its body, and send 600 bytes from one shared response. usage:
   bare [threads, 2]. Prints "bare listens on URL" once it listens; exits at the end of its standard input. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *kept;

static enum MHD_Result answer(
  void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *body,
  size_t *size, void **request) {
  static int begun;
  (void)context, (void)url, (void)method, (void)version, (void)body;
  if (*request == NULL) {
    *request = &begun;
    return MHD_YES;
  }
  if (*size != 0) {
    *size = 0;
    return MHD_YES;
  }
  return MHD_queue_response(connection, 200, kept);
}

int main(int count, char **arguments) {
  static char text[600];
  unsigned threads = count > 1 ? (unsigned)atoi(arguments[1]) : 2;
  memset(text, 'x', sizeof text);
  kept = MHD_create_response_from_buffer(sizeof text, text, MHD_RESPMEM_PERSISTENT);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon *daemon = MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, &answer, NULL, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, 1024u,
    MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_END);
  if (kept == NULL || daemon == NULL) {
    fputs("bare: libmicrohttpd did not start\n", stderr);
    return 1;
  }
  printf("bare listens on http://127.0.0.1:%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) continue;
  MHD_stop_daemon(daemon);
  return 0;
}
