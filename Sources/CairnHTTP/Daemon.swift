import CMicroHTTPD

/// A daemon of libmicrohttpd with everything that it references. It has no thread and no listening socket: its loop's thread makes all
/// calls.
final class Daemon {
  private let handle: OpaquePointer
  private let callbacks: UnsafeMutablePointer<cairn_mhd_callbacks>
  /// Readable when `run()` has something to do.
  let descriptor: Int32

  /// A daemon whose callbacks get `loop`, which must outlive it.
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

  /// Closes every connection; never with a suspended one, which libmicrohttpd answers with the end of the process.
  deinit {
    MHD_stop_daemon(handle)
    callbacks.deallocate()
  }

  /// Takes a connected socket over, to close it in any case. False: it was refused.
  func add(_ socket: Int32, _ address: SocketAddress) -> Bool {
    address.withPointer { MHD_add_connection(handle, socket, $0, $1) == .YES }
  }

  /// Reads, calls back and writes as far as it goes without waiting.
  func run() { cairn_mhd_run(handle, callbacks) }

  /// Milliseconds until `run()` has to be called though nothing came; nil: never.
  var timeout: UInt64? {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(handle, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Whether `Callbacks` get to know what the library does by itself; tried once.
  static let isObserved = cairn_mhd_is_observed() == 1

  /// The library's version, as `0.9.75`.
  static var version: String { String(cString: MHD_get_version()) }
}

extension Duration {
  /// Rounded up, at least 1: libmicrohttpd takes 0 as "never".
  fileprivate var wholeSeconds: UInt32 {
    let (seconds, attoseconds) = components
    return UInt32(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
  }
}
