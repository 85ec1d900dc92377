import Glibc

/// Notifies the service manager that started the process, such as systemd (sd_notify(3)). Thread-safe.
struct ServiceManager: Sendable {
  private let address: [UInt8]

  /// Returns `nil` if no service manager waits for notifications. A socket's name that begins with `@` is in the kernel's abstract
  /// namespace instead of the file system.
  init?(environment: [String: String]) {
    guard let name = environment["NOTIFY_SOCKET"], let first = name.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), name.utf8.count < 108
    else { return nil }
    var path = Array(name.utf8)
    if first == UInt8(ascii: "@") { path[0] = 0 }
    address = path
  }

  /// Sends a notification such as `READY=1`. Does not wait; the notification is lost if the manager cannot receive it.
  func notify(_ text: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
    // `offset(of:)` is never `nil` for a stored property.
    let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + address.count)
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length) }
    }
  }
}
