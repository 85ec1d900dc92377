import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import Glibc

/// A response as it was received.
struct Reply: Sendable {
  var status = 0
  /// The fields by name in lower case.
  var headers: [String: String] = [:]
  var text = ""

  var json: Value { (try? FoundationJSON.value(text)) ?? .null }
  subscript(path: String...) -> Value? { json.at(path) }
  var code: String? { if case .string(let code) = self["code"] { code } else { nil } }
  var revision: Int? { if case .integer(let revision) = self["revision"] { revision } else { nil } }

  /// The entity tag without its quotes.
  var tag: String { String((headers["etag"] ?? "").dropFirst().dropLast()) }
  /// The revision in the entity tag of a session, or `nil` if the response has no such tag.
  var taggedRevision: Int? { RevisionTag(tag).flatMap { $0.mark == nil ? nil : $0.revision } }

  /// The pointers and parameters of a problem's errors, in order.
  var places: [String] {
    guard case .array(let errors)? = self["errors"] else { return [] }
    return errors.map { error in
      switch (error["pointer"], error["parameter"]) {
      case (.string(let pointer)?, _): pointer
      case (_, .string(let parameter)?): "?\(parameter)"
      default: "nowhere"
      }
    }
  }

  /// The names of the screens on the stack.
  var routes: [String] {
    guard case .array(let stack)? = self["stack"] else { return [] }
    return stack.compactMap { if case .string(let screen)? = $0["screen"] { screen } else { nil } }
  }
}

/// Sends one request on a new connection, byte for byte. Blocks, and fails after `TestTimeout` without any bytes.
enum Wire {
  enum Failure: Error { case noConnection(Int32), closedEarly, notHTTP(String) }

  static func send(
    _ port: Int, _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    from address: String = "127.0.0.1"
  ) throws -> Reply {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: cairn\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    return try exchange(port, Array((head + "\r\n").utf8) + (body ?? []), from: address)
  }

  /// Connects to the port from one of the addresses of this machine.
  static func open(_ port: Int, from address: String = "127.0.0.1") throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    func use(_ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ host: String, _ port: Int) -> Int32 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    }
    guard use(bind, address, 0) == 0, use(connect, "127.0.0.1", port) == 0 else {
      let code = errno
      close(descriptor)
      throw Failure.noConnection(code)
    }
    return descriptor
  }

  /// Sends a text unchanged. Returns `false` if not all of it was sent.
  static func put(_ descriptor: Int32, _ text: String) throws -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Closes a connection.
  static func leave(_ descriptor: Int32) { close(descriptor) }

  /// Sends bytes unchanged and returns the first response.
  static func exchange(_ port: Int, _ bytes: [UInt8], from address: String = "127.0.0.1") throws -> Reply {
    let descriptor = try open(port, from: address)
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      sent += count
    }
    var received: [UInt8] = []
    while try awaitBytes("the answer to a request", from: descriptor, into: &received) {}
    return try parse(received)
  }

  static func parse(_ bytes: [UInt8]) throws -> Reply {
    guard !bytes.isEmpty else { throw Failure.closedEarly }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"), text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)) else {
      throw Failure.notHTTP(text)
    }
    var reply = Reply(status: status, text: String(text[end.upperBound...]))
    for line in text[..<end.lowerBound].components(separatedBy: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { reply.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    return reply
  }
}
