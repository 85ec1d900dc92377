import CMicroHTTPD

/// The library's handle with all that it points to.
///
/// Unchecked, because a C pointer is never Sendable: libmicrohttpd takes each call made here from any thread, and `Server` makes one at a time.
final class Daemon: @unchecked Sendable {
  private let handle: OpaquePointer
  private let callbacks: UnsafeMutablePointer<cairn_mhd_callbacks>
  private let core: Core

  /// Starts the library's threads on `socket`, which stays the caller's to close, after `stop()`.
  init(_ core: Core, socket: ListeningSocket, threads: Int) throws(ServerError) {
    let limits = core.limits
    var settings = cairn_mhd_settings(
      listen_socket: socket.descriptor, threads: UInt32(threads), connections: UInt32(limits.connections),
      connections_per_address: UInt32(limits.connectionsPerAddress), idle_seconds: limits.idle.wholeSeconds,
      memory_per_connection: limits.memoryPerConnection)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Callbacks.all(Unmanaged.passUnretained(core).toOpaque()))
    guard let handle = cairn_mhd_start(callbacks, &settings) else {
      callbacks.deallocate()
      throw .libraryRefused
    }
    self.handle = handle
    self.core = core
  }

  deinit { callbacks.deallocate() }

  /// No further connection is taken; those open live on.
  func quiesce() { _ = MHD_quiesce_daemon(handle) }

  /// Closes every connection and ends the library's threads; never with a suspended connection, never twice.
  func stop() { MHD_stop_daemon(handle) }

  /// Gives the library's threads up without ending them: what they use lives as long as the process.
  func leave() { _ = Unmanaged.passRetained(self) }

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
