import CairnHTTP
import CairnRuntime
import Testing

/// Alive as long as anything of its server is: the handler holds it, and each connection and request holds the handler.
private final class Witness: Sendable {}

/// Answers 200 with what it understood: method, segments, query, body.
let echo: Handler = { request, _ in .now(Response(status: 200, text: describe(request))) }

/// The text that `echo` answers with.
func describe(_ request: Request) -> String {
  let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  return "\(request.method) \(request.path) [\(query)] \(String(decoding: request.body, as: UTF8.self))"
}

/// A fault's answer that a test can read: the status and the reason.
let plainFault: @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status, text: "\(fault)") }

/// Runs `body` against a server on a free port, stops it, and holds the room to leaving nothing behind: no request, no connection.
func withServer(
  _ limits: Limits = Limits(), threads: Int = 1, host: String = "127.0.0.1",
  fault: @escaping @Sendable (Fault, Request?) -> Response = plainFault,
  log: @escaping @Sendable (String) -> Void = { _ in },
  handler: @escaping Handler = echo, _ body: (Server) throws -> Void
) throws {
  weak var last: Witness?
  do {
    let witness = Witness()
    last = witness
    let server = try Server(host: host, port: 0, limits: limits, threads: threads, fault: fault, log: log) { [witness] in
      withExtendedLifetime(witness) {}
      return handler($0, $1)
    }
    do {
      try body(server)
      server.stop()
      #expect(server.counts.connections == 0 && server.counts.suspended == 0)
    } catch {
      server.stop()
      throw error
    }
  }
  #expect(last == nil, "a request or a connection has outlived its server")
}
