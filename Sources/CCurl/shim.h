#pragma once
#include <curl/curl.h>
#include <string.h>
#include <sys/socket.h>

// Receives bytes of a response. Any return value other than `size * count` ends the transfer.
typedef size_t (*cairn_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

// A request and its limits in one struct, because curl_easy_setopt is variadic and Swift cannot call it.
struct cairn_curl_request {
  const char *url;
  const char *method;
  // Owned by the caller. The list must exist until the handle is cleaned up.
  struct curl_slist *headers;
  // Copied. NULL if the request has no body.
  const void *body;
  size_t body_size;
  // The timeouts in milliseconds. If `timeout` is 0, the whole transfer has no limit.
  long connect_timeout;
  long timeout;
  // The maximum size in bytes that a response may announce; 0 for no limit.
  curl_off_t announced;
  // Passed to both receivers.
  void *context;
  // Called once per line of a head or trailer.
  cairn_curl_receiver head;
  // Called with the body after decompression.
  cairn_curl_receiver body_part;
};

// Opens a socket that child processes do not inherit. libcurl 7.88 itself opens sockets that they inherit.
static curl_socket_t cairn_curl_open(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Sets all options of a new handle. Redirects, proxies, cookies, credentials and signals are disabled. Requests use HTTP/1.1, and HTTP/0.9 responses are
// rejected.
static inline CURLcode cairn_curl_prepare(CURL *easy, const struct cairn_curl_request *request) {
  CURLcode code = CURLE_OK;
#define CAIRN_SET(option, value) \
  do { if (code == CURLE_OK) code = curl_easy_setopt(easy, option, value); } while (0)
  CAIRN_SET(CURLOPT_URL, request->url);
#if LIBCURL_VERSION_NUM >= 0x075500
  CAIRN_SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
  CAIRN_SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  // Without this option, canceling a transfer waits until its host name has been resolved.
  CAIRN_SET(CURLOPT_QUICK_EXIT, 1L);
#endif
  CAIRN_SET(CURLOPT_NOSIGNAL, 1L);
  CAIRN_SET(CURLOPT_OPENSOCKETFUNCTION, &cairn_curl_open);
  CAIRN_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  CAIRN_SET(CURLOPT_HTTP09_ALLOWED, 0L);
  CAIRN_SET(CURLOPT_FOLLOWLOCATION, 0L);
  // The path is sent unchanged, dot segments included.
  CAIRN_SET(CURLOPT_PATH_AS_IS, 1L);
  // An empty name disables the proxies that environment variables name.
  CAIRN_SET(CURLOPT_PROXY, "");
  CAIRN_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  CAIRN_SET(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  CAIRN_SET(CURLOPT_USERAGENT, "Cairn");
  CAIRN_SET(CURLOPT_HTTPHEADER, request->headers);
  CAIRN_SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout);
  CAIRN_SET(CURLOPT_TIMEOUT_MS, request->timeout);
  CAIRN_SET(CURLOPT_MAXFILESIZE_LARGE, request->announced);
  CAIRN_SET(CURLOPT_HEADERFUNCTION, request->head);
  CAIRN_SET(CURLOPT_HEADERDATA, request->context);
  CAIRN_SET(CURLOPT_WRITEFUNCTION, request->body_part);
  CAIRN_SET(CURLOPT_WRITEDATA, request->context);
  if (request->body) {
    CAIRN_SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
    CAIRN_SET(CURLOPT_COPYPOSTFIELDS, request->body);
  }
  if (strcmp(request->method, "HEAD") == 0) CAIRN_SET(CURLOPT_NOBODY, 1L);
  CAIRN_SET(CURLOPT_CUSTOMREQUEST, request->method);
#undef CAIRN_SET
  return code;
}

// curl_easy_getinfo is variadic, so Swift cannot call it. Returns whether the request had a connection on which it could be sent.
static inline int cairn_curl_was_connected(CURL *easy) {
  curl_off_t microseconds = 0;
  return curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0;
}

// curl_multi_setopt is variadic, so Swift cannot call it. Sets the maximum number of idle connections that are kept open.
static inline CURLMcode cairn_curl_keep(CURLM *multi, long connections) {
  return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
}

// The result of a completed transfer. It is read here, because CURLMsg contains a union.
static inline CURLcode cairn_curl_result(const CURLMsg *message) { return message->data.result; }
