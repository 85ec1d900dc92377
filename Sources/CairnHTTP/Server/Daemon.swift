import CMicroHTTPD

/// A daemon of libmicrohttpd and everything that it references. It has no listening socket, and no thread of its own: all methods are
/// called on the loop's thread.
final class Daemon {
  private let handle: OpaquePointer
  private let callbacks: UnsafeMutablePointer<cairn_mhd_callbacks>
  /// The epoll descriptor, which is readable when `run()` has something to do.
  let descriptor: Int32

  /// Starts a daemon that passes `loop` to its callbacks. The loop must outlive the daemon.
  init(_ loop: EventLoop, limits: Limits) throws(ServerError) {
    var settings = cairn_mhd_settings(
      connections: UInt32(clamping: limits.connections), idle_seconds: limits.idle.wholeSeconds,
      memory_per_connection: limits.memoryPerConnection)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Callbacks.all(Unmanaged.passUnretained(loop).toOpaque()))
    guard let handle = cairn_mhd_start(callbacks, &settings) else {
      callbacks.deallocate()
      throw .libraryRefused
    }
    self.handle = handle
    descriptor = cairn_mhd_epoll(handle)
  }

  /// Closes every connection. No connection may be suspended: libmicrohttpd aborts the process in that case.
  deinit {
    MHD_stop_daemon(handle)
    callbacks.deallocate()
  }

  /// Takes ownership of a connected socket, which is closed even if the library rejects it. Returns false if the library rejected it.
  func add(_ socket: Int32, _ address: SocketAddress) -> Bool {
    address.withPointer { MHD_add_connection(handle, socket, $0, $1) == .YES }
  }

  /// Reads requests, calls the callbacks and writes responses, as far as possible without blocking.
  func run() { cairn_mhd_run(handle, callbacks) }

  /// Milliseconds until `run()` must be called even if no event arrives; `nil` if only an event requires a call.
  var timeout: UInt64? {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(handle, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Whether the I/O of the library can be observed (see `Callbacks`). Tested once per process.
  static let isObserved = cairn_mhd_is_observed() == 1

  /// The library's version, such as `0.9.75`.
  static var version: String { String(cString: MHD_get_version()) }
}

extension Duration {
  /// The duration in seconds, rounded up to at least 1, because libmicrohttpd interprets 0 as "never".
  fileprivate var wholeSeconds: UInt32 {
    let (seconds, attoseconds) = components
    return UInt32(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
  }
}
