import CMicroHTTPD

/// The callbacks of libmicrohttpd. They are called within `Daemon.run()`, on its thread. The context is the `EventLoop`, which outlives its
/// `Daemon`.
///
/// Reference counts: a `Peer` is retained when its connection starts and released when the connection has closed. A peer owns its
/// `Exchange` until the request is completed. Version 0.9.75 does not report the completion of a request whose query it rejects for lack of
/// memory. In that case the peer owns the exchange until the connection closes.
enum Callbacks {
  static func all(_ context: UnsafeMutableRawPointer) -> cairn_mhd_callbacks {
    cairn_mhd_callbacks(
      context: context, access: access, target: target, completed: completed, connection: connection, log: log,
      received: received, refused: refused, sending: sending, closing: closing)
  }

  private static let connection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
    guard let context, let connection, let slot else { return }
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    if event == .CONNECTION_NOTIFY_STARTED {
      slot.pointee = Unmanaged.passRetained(loop.open(descriptor: cairn_mhd_socket(connection))).toOpaque()
    } else if let pointer = slot.pointee {
      slot.pointee = nil
      loop.close(Unmanaged<Peer>.fromOpaque(pointer).takeRetainedValue())
    }
  }

  private typealias TargetCallback =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer?

  private static let target: TargetCallback = { _, target, connection in
    guard let target, let connection, let pointer = cairn_mhd_socket_context(connection) else { return nil }
    let peer = Unmanaged<Peer>.fromOpaque(pointer).takeUnretainedValue()
    return Unmanaged.passUnretained(peer.begin(target: target)).toOpaque()
  }

  private static let access: MHD_AccessHandlerCallback = { _, connection, _, method, version, upload, size, slot in
    guard let connection, let method, let version, let size, let pointer = slot?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : size.pointee)
    let result = exchange.proceed(AccessCall(connection: connection, method: method, version: version, upload: bytes))
    size.pointee = 0
    return result
  }

  private static let completed: MHD_RequestCompletedCallback = { _, _, slot, _ in
    guard let slot, let pointer = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue().finish()
  }

  private static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, line in
    guard let context, let line else { return }
    var text = String(cString: line)
    while text.hasSuffix("\n") { text.removeLast() }
    Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().note("libmicrohttpd: \(text)")
  }

  // I/O observations. Sockets that belong to no connection, such as the library's own, are not observed.

  private static let received: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?, Int, Int) -> Int = {
    context, socket, buffer, room, count in
    guard let context, let buffer else { return count }
    guard let peer = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().peer(on: socket) else { return count }
    return peer.receive(count, in: UnsafeMutableRawBufferPointer(start: buffer, count: room))
  }

  private static let refused: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UInt32) -> Void = { _, connection, status in
    guard let connection, let pointer = cairn_mhd_socket_context(connection) else { return }
    Unmanaged<Peer>.fromOpaque(pointer).takeUnretainedValue().libraryRefused(status: Int(status))
  }

  private static let sending: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int) -> Int32 = {
    context, socket, bytes, count in
    guard let context else { return 0 }
    guard let peer = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().peer(on: socket) else { return 0 }
    return peer.librarySends(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  private static let closing: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { context, socket in
    guard let context else { return 1 }
    guard let peer = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().peer(on: socket) else { return 1 }
    return peer.libraryCloses() ? 1 : 0
  }
}
