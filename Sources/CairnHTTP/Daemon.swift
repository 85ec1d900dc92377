import CMicroHTTPD

/// A daemon of libmicrohttpd and everything that it references. It has no thread and no listening socket; the loop's thread makes all calls.
final class Daemon {
  private let handle: OpaquePointer
  private let callbacks: UnsafeMutablePointer<cairn_mhd_callbacks>
  /// Readable when `run()` has work.
  let descriptor: Int32

  /// Creates a daemon whose callbacks receive `loop`, which must outlive it.
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

  /// Closes all connections. None may be suspended, because libmicrohttpd would then end the process.
  deinit {
    MHD_stop_daemon(handle)
    callbacks.deallocate()
  }

  /// Passes a connected socket to the library, which closes it in any case. Returns `false` if the library rejects it.
  func add(_ socket: Int32, _ address: SocketAddress) -> Bool {
    address.withPointer { MHD_add_connection(handle, socket, $0, $1) == .YES }
  }

  /// Reads, calls back and writes as far as possible without waiting.
  func run() { cairn_mhd_run(handle, callbacks) }

  /// The milliseconds after which `run()` must be called even if nothing has happened; `nil` if it need not be.
  var timeout: UInt64? {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(handle, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Whether `Callbacks` receive I/O observations. Tested once.
  static let isObserved = cairn_mhd_is_observed() == 1

  /// The version of the library, such as `0.9.75`.
  static var version: String { String(cString: MHD_get_version()) }
}

extension Duration {
  /// The duration in whole seconds, rounded up, at least 1, because libmicrohttpd takes 0 as "never".
  fileprivate var wholeSeconds: UInt32 {
    let (seconds, attoseconds) = components
    return UInt32(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
  }
}
