// Holds many streams of server-sent events open on one thread, and measures how an event reaches them. It uses little CPU time, because it runs on the machine
// that is measured.
//
//   streams PORT COUNT FILE      FILE: "PATH SECRET" per line; the streams use the lines in turn
//
// Prints "OPEN count" once each stream has received its head and its first event. Then it executes each line of stdin:
//   fan PATH SECRET TIMES BODY|BODY   posts the bodies in turn, each when all streams have received the event of the previous one; prints figures as
//                                     JSON, times in microseconds since the POST was sent
//   still SECONDS                     reads for that time; prints how many bytes arrived, and how many streams received none
// Exits at the end of stdin, and at the first stream whose bytes are not as expected.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct stream {
  int socket;
  char has_head, has_data, is_line_start;
  unsigned matched;  // number of matched bytes of the empty line that ends the head
  unsigned events;
  uint64_t bytes;
};

static struct stream *streams;
static int count, set, port;
static unsigned awaited;  // number of events that every stream should receive
static int missing;       // number of streams that have received fewer
static uint64_t began, *delays;
static size_t delay_count;
static uint64_t bytes;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "streams: %s: %s\n", what, strerror(errno));
  exit(1);
}

// Each thousand connections uses another local address, so that ports do not run out.
static int connected(int number) {
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) fail("socket");
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002 + number / 1000)};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (number >= 0 && bind(socket_, (struct sockaddr *)&from, sizeof from)) fail("bind");
  if (connect(socket_, (struct sockaddr *)&to, sizeof to)) fail("connect");
  return socket_;
}

static void sends(int socket_, const char *text) {
  size_t length = strlen(text);
  if (send(socket_, text, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

static void event(struct stream *stream, uint64_t moment) {
  stream->events++;
  if (stream->events == awaited) {
    missing--;
    if (delays) delays[delay_count++] = moment - began;
  }
}

// Processes received bytes. An empty line ends an event if a line before it has data, which a comment does not have.
static void take(struct stream *stream, const char *text, size_t length, uint64_t moment) {
  size_t place = 0;
  while (!stream->has_head && place < length) {
    char byte = text[place++];
    stream->matched = byte == "\r\n\r\n"[stream->matched] ? stream->matched + 1 : byte == '\r';
    stream->has_head = stream->matched == 4;
    stream->is_line_start = 1;
  }
  while (place < length) {
    if (stream->is_line_start) {
      if (text[place] == 'd') stream->has_data = 1;
      if (text[place] == '\n') {
        if (stream->has_data) event(stream, moment);
        stream->has_data = 0;
        place++;
        continue;
      }
      stream->is_line_start = 0;
    }
    const char *end = memchr(text + place, '\n', length - place);
    if (!end) return;
    place = end - text + 1;
    stream->is_line_start = 1;
  }
}

static void wait_for(uint64_t until) {
  static char buffer[1 << 18];
  struct epoll_event news[512];
  uint64_t moment = now();
  int pause = until > moment ? (int)((until - moment) / 1000000) + 1 : 0;
  int found = epoll_wait(set, news, 512, pause);
  for (int index = 0; index < found; index++) {
    struct stream *stream = &streams[news[index].data.u32];
    ssize_t length = recv(stream->socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (length < 0 && errno == EAGAIN) continue;
    if (length <= 0) fail("a stream was ended");
    if (stream->bytes == 0 && (length < 12 || memcmp(buffer, "HTTP/1.1 200", 12))) {
      fprintf(stderr, "streams: %.*s\n", (int)length, buffer);
      exit(1);
    }
    stream->bytes += length;
    bytes += length;
    take(stream, buffer, length, now());
  }
}

static void wait_for_all(void) {
  uint64_t until = now() + 60000000000;
  while (missing > 0) {
    if (now() > until) {
      fprintf(stderr, "streams: %d of %d streams wait for their event %u\n", missing, count, awaited);
      exit(1);
    }
    wait_for(now() + 1000000000);
  }
}

static void expect_next(void) {
  awaited++;
  missing = count;
}

static void open_all(const char *file) {
  char line[1024], path[512], secret[256], request[1024];
  FILE *lines = fopen(file, "r");
  if (!lines) fail(file);
  expect_next();
  for (int number = 0; number < count; number++) {
    while (!fgets(line, sizeof line, lines)) rewind(lines);
    if (sscanf(line, "%511s %255s", path, secret) != 2) fail("a line without path and secret");
    streams[number].socket = connected(number);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    if (epoll_ctl(set, EPOLL_CTL_ADD, streams[number].socket, &event)) fail("epoll_ctl");
    snprintf(
      request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: Bearer %s\r\n\r\n", path, secret);
    sends(streams[number].socket, request);
    // At most 256 streams wait for their first event at a time.
    while (number + 1 - (count - missing) > 256) wait_for(now() + 1000000000);
  }
  fclose(lines);
  wait_for_all();
}

static int ascending(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

static void fan(char *arguments) {
  char *path = strtok(arguments, " "), *secret = strtok(NULL, " "), *times = strtok(NULL, " "), *first = strtok(NULL, "|");
  char *second = strtok(NULL, "\n");
  if (!second) fail("fan PATH SECRET TIMES BODY|BODY");
  int socket_ = connected(-1), turns = atoi(times);
  char request[4096], answer[1 << 16];
  delays = calloc((size_t)turns * count + 1, sizeof *delays);
  delay_count = 0;
  uint64_t start = now(), longest = 0;
  for (int turn = 0; turn < turns; turn++) {
    char *body = turn % 2 ? second : first;
    snprintf(
      request, sizeof request,
      "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nPrefer: return=minimal\r\n"
      "Content-Length: %zu\r\n\r\n%s",
      path, secret, strlen(body), body);
    expect_next();
    began = now();
    sends(socket_, request);
    wait_for_all();
    if (now() - began > longest) longest = now() - began;
    ssize_t length = recv(socket_, answer, sizeof answer, 0);
    if (length < 12 || memcmp(answer, "HTTP/1.1 2", 10)) {
      fprintf(stderr, "streams: %.*s\n", length > 0 ? (int)length : 0, answer);
      exit(1);
    }
  }
  double seconds = (now() - start) / 1e9;
  close(socket_);
  qsort(delays, delay_count, sizeof *delays, ascending);
  printf(
    "{\"streams\":%d,\"changes\":%d,\"events\":%zu,\"seconds\":%.3f,\"p50\":%.0f,\"p99\":%.0f,\"longest\":%.0f}\n", count, turns, delay_count,
    seconds, delays[delay_count / 2] / 1e3, delays[delay_count * 99 / 100] / 1e3, longest / 1e3);
  free(delays);
  delays = NULL;
}

static void still(double seconds) {
  for (int number = 0; number < count; number++) streams[number].bytes = 1;
  uint64_t before = bytes, until = now() + (uint64_t)(seconds * 1e9);
  while (now() < until) wait_for(until);
  int silent = 0;
  for (int number = 0; number < count; number++) silent += streams[number].bytes == 1;
  printf("{\"bytes\":%lu,\"silent\":%d}\n", (unsigned long)(bytes - before), silent);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  port = atoi(argv[1]);
  count = atoi(argv[2]);
  streams = calloc(count, sizeof *streams);
  set = epoll_create1(EPOLL_CLOEXEC);
  open_all(argv[3]);
  printf("OPEN %d\n", count);
  fflush(stdout);
  // The streams are not read while the program waits for a line. Only heartbeats of a few bytes arrive then, which remain in the sockets' buffers.
  char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "fan ", 4)) fan(line + 4);
    if (!strncmp(line, "still ", 6)) still(atof(line + 6));
    fflush(stdout);
  }
  return 0;
}
