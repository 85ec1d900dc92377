#if canImport(CCurl)
  import CCurl
  import CairnRuntime
  import Glibc

  /// libcurl's multi handle.
  ///
  /// Unchecked: any thread may call `wake` (curl_multi_wakeup(3)); only the loop's thread may call the other methods. The handle is freed
  /// with the last reference.
  final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    /// The maximum number of idle connections that are kept open for further requests.
    private static let idleConnections = 64
    /// Initializes libcurl once in the process, before any thread uses it.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Returns `nil` if there is no memory, or no file descriptor for `wake`.
    init?() {
      guard Self.isReady, let multi = curl_multi_init() else { return nil }
      cairn_curl_keep(multi, Self.idleConnections)
      self.multi = multi
    }

    deinit { curl_multi_cleanup(multi) }

    /// Ends the running call of `wait`, or the next one. Thread-safe.
    func wake() { curl_multi_wakeup(multi) }

    /// Starts a transfer.
    func add(_ easy: UnsafeMutableRawPointer) throws(TransferFault) {
      guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw .failed(Int(CURLE_FAILED_INIT.rawValue)) }
    }

    /// Removes a transfer. If it has not ended, its connection is closed.
    func remove(_ easy: UnsafeMutableRawPointer) { curl_multi_remove_handle(multi, easy) }

    /// Performs all work that is possible without blocking. Calls `done` for each transfer that has ended.
    func perform(_ done: (UnsafeMutableRawPointer, CURLcode) -> Void) {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      var ended: [(UnsafeMutableRawPointer, CURLcode)] = []
      while let message = curl_multi_info_read(multi, &left) {
        if message.pointee.msg == CURLMSG_DONE { ended.append((message.pointee.easy_handle, cairn_curl_result(message))) }
      }
      for (easy, code) in ended { done(easy, code) }
    }

    /// Blocks until a transfer can continue, `wake` is called, or the deadline (`Monotonic`) has passed.
    func wait(until deadline: UInt64?) {
      let hour = 3_600_000
      let now = Monotonic.now()
      let time = deadline.map { $0 > now ? Int(min(UInt64(hour), ($0 - now) / 1_000_000 + 1)) : 0 } ?? hour
      // Without memory or descriptors, the call returns without waiting. The pause prevents a busy loop.
      if curl_multi_poll(multi, nil, 0, Int32(time), nil) != CURLM_OK { usleep(20_000) }
    }
  }
#endif
