import CairnTesting
import Foundation
import Testing

/// The receiving end of a notification socket of a service manager (sd_notify).
final class NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(descriptor >= 0 && bound == 0)
  }

  deinit { close(descriptor) }

  /// The next message. Blocks until one is received.
  func next() throws -> String {
    let what = "a message of the service for its manager"
    var bytes: [UInt8] = []
    guard try awaitBytes(what, from: descriptor, into: &bytes) else { throw NeverCame(what) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The port in the message with which a service reports that it is ready.
  func port() throws -> Int {
    let message = try next()
    return try #require(Int(message.split(separator: "127.0.0.1:", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""), "\(message)")
  }
}
