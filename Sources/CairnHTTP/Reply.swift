import CMicroHTTPD

/// A response in libmicrohttpd's form.
enum Reply {
  /// Queues `response` on `connection`; only on its own thread, in its access callback. `NO` means that the connection must go.
  static func queue(_ response: Response, isLast: Bool, on connection: OpaquePointer, log: (String) -> Void) -> MHD_Result {
    guard let (status, made) = make(response, isLast: isLast, log: log) else { return .NO }
    defer { MHD_destroy_response(made) }
    return MHD_queue_response(connection, status, made)
  }

  private static func make(_ response: Response, isLast: Bool, log: (String) -> Void) -> (UInt32, OpaquePointer)? {
    guard (200...599).contains(response.status) else {
      log("a response had the status \(response.status); 500 was sent instead")
      return make(Response(status: 500), isLast: true, log: log)
    }
    guard let made = response.body.withUnsafeBytes({ cairn_mhd_response($0.baseAddress, $0.count) }) else { return nil }
    for field in response.headers.fields where !isOurs(field.name) {
      let isLegal = field.name.isToken && field.value.isFieldValue
      // The library refuses empty values, which HTTP allows; such a field says nothing and is left out.
      guard !field.value.isEmpty || !isLegal else { continue }
      guard isLegal, MHD_add_response_header(made, field.name, field.value) == .YES else {
        log("a response had an illegal header \(field.name.debugDescription); 500 was sent instead")
        MHD_destroy_response(made)
        return make(Response(status: 500), isLast: true, log: log)
      }
    }
    if isLast { MHD_add_response_header(made, "Connection", "close") }
    return (UInt32(response.status), made)
  }

  /// Fields that frame the message are made by the library alone.
  private static func isOurs(_ name: String) -> Bool {
    ["Content-Length", "Transfer-Encoding", "Date", "Connection"].contains { $0.isEqualIgnoringCase(to: name) }
  }
}
