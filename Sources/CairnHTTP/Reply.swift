import CMicroHTTPD

/// A response in libmicrohttpd's form.
enum Reply {
  /// Queues `response` on `connection`; only on its own thread, in its access callback. `NO` means that the connection must go. `isLast`:
  /// the connection closes after it; the response may say so too.
  static func queue(_ response: Response, isLast: inout Bool, on connection: OpaquePointer, log: (String) -> Void) -> MHD_Result {
    guard let (status, made) = make(response, isLast: &isLast, log: log) else { return .NO }
    defer { MHD_destroy_response(made) }
    return cairn_mhd_queue(connection, status, made)
  }

  private static func make(_ response: Response, isLast: inout Bool, log: (String) -> Void) -> (UInt32, OpaquePointer)? {
    guard (200...599).contains(response.status) else {
      log("a response had the status \(response.status); 500 was sent instead")
      isLast = true
      return make(Response(status: 500), isLast: &isLast, log: log)
    }
    guard let made = response.body.withUnsafeBytes({ cairn_mhd_response($0.baseAddress, $0.count) }) else { return nil }
    for field in response.headers.fields {
      switch Framed(field.name) {
      case .connection: isLast = isLast || field.value.isEqualIgnoringCase(to: "close")
      case .other: continue
      case nil:
        guard add(field, to: made) else {
          log("a response had an illegal header \(field.name.debugDescription); 500 was sent instead")
          MHD_destroy_response(made)
          isLast = true
          return make(Response(status: 500), isLast: &isLast, log: log)
        }
      }
    }
    if isLast { MHD_add_response_header(made, "Connection", "close") }
    return (UInt32(response.status), made)
  }

  /// False: the field could begin another line, or is refused by the library for another reason.
  private static func add(_ field: Headers.Field, to response: OpaquePointer) -> Bool {
    // Lent, not passed: a String passed as a C string is copied into an array first. The counts are the whole of it, NULs included.
    field.name.withCString { name in
      field.value.withCString { value in
        let bytes = CStrings.bytes(value, field.value.utf8.count)
        guard CStrings.bytes(name, field.name.utf8.count).isToken, bytes.isFieldValue else { return false }
        // The library refuses empty values, which HTTP allows; such a field says nothing and is left out.
        return bytes.isEmpty || MHD_add_response_header(response, name, value) == .YES
      }
    }
  }

  /// A field that frames the message, which the library alone makes; nil for all others.
  private enum Framed {
    case connection, other

    init?(_ name: String) {
      switch name.utf8.count {
      case 4 where name.isEqualIgnoringCase(to: "Date"): self = .other
      case 10 where name.isEqualIgnoringCase(to: "Connection"): self = .connection
      case 14 where name.isEqualIgnoringCase(to: "Content-Length"): self = .other
      case 17 where name.isEqualIgnoringCase(to: "Transfer-Encoding"): self = .other
      default: return nil
      }
    }
  }
}
