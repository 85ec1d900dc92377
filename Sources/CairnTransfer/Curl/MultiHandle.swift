#if canImport(CCurl)
  import CCurl
  import CairnRuntime
  import Glibc

  /// libcurl's multi handle.
  ///
  /// Unchecked: any thread may call `wake` (curl_multi_wakeup(3)), only the loop's thread everything else. The handle is freed with the
  /// last
  /// reference.
  final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    /// Idle connections that are kept open for further requests.
    private static let idleConnections = 64
    /// Once in the process, before any thread uses libcurl.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// `nil`: there is no memory, or no descriptor to be woken by.
    init?() {
      guard Self.isReady, let multi = curl_multi_init() else { return nil }
      cairn_curl_keep(multi, Self.idleConnections)
      self.multi = multi
    }

    deinit { curl_multi_cleanup(multi) }

    /// Ends `wait`, now or when it is called next. Any thread.
    func wake() { curl_multi_wakeup(multi) }

    /// Begins a transfer.
    func add(_ easy: UnsafeMutableRawPointer) throws(TransferFault) {
      guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw .failed(Int(CURLE_FAILED_INIT.rawValue)) }
    }

    /// Takes a transfer out, and closes its connection if it was not done.
    func remove(_ easy: UnsafeMutableRawPointer) { curl_multi_remove_handle(multi, easy) }

    /// Does what can be done without waiting; `done` gets each transfer that has ended.
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

    /// Blocks until a transfer can go on, `wake` is called, or the deadline (`Monotonic`) has passed.
    func wait(until deadline: UInt64?) {
      let hour = 3_600_000
      let now = Monotonic.now()
      let time = deadline.map { $0 > now ? Int(min(UInt64(hour), ($0 - now) / 1_000_000 + 1)) : 0 } ?? hour
      // Without memory or descriptors it returns at once; the pause keeps that from taking a core.
      if curl_multi_poll(multi, nil, 0, Int32(time), nil) != CURLM_OK { usleep(20_000) }
    }
  }
#endif
