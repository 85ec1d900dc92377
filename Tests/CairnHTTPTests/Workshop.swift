import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

/// Detects leaks. The handler holds the witness, and each connection and request holds the handler.
private final class Witness: Sendable {}

/// Answers 200 with the parsed method, segments, query and body.
let echo: Handler = { request, _ in .now(Response(status: 200, text: describe(request))) }

/// The response text of `echo`.
func describe(_ request: Request) -> String {
  let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  return "\(request.method) \(request.path) [\(query)] \(String(decoding: request.body, as: UTF8.self))"
}

/// The response to a fault: its status and its description.
let plainFault: @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status, text: "\(fault)") }

/// Runs `body` with a server on a free port, stops the server, and checks that no request, connection or handler is left.
func withServer(
  _ limits: Limits = .patient, threads: Int = 1, host: String = "127.0.0.1",
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

/// Collects the lines of a server's log. Safe on any thread.
final class Lines: Sendable {
  private let lines = Lock<[String]>([])

  /// Every line, oldest first.
  var all: [String] { lines.withLock { $0 } }

  /// Adds one line. Pass this function as `log`.
  @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Collects the responders of requests, so that a test can answer them. `take` waits for one.
final class Waiting: Sendable {
  private let responders = Monitor<[Responder]>([])

  /// A handler that stores each responder for `take`.
  var handler: Handler {
    { [self] _, responder in
      responders.change { $0.append(responder) }
      return .later
    }
  }

  /// The oldest responder that has not been taken yet.
  func take() throws -> Responder {
    try responders.wait(for: "a request that waits for its answer") { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// The oldest responder that has not been taken yet, or `nil`.
  func takeNow() -> Responder? { responders.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// Blocks until `condition` holds, for counters without an event. Returns `false` after the timeout of all tests.
func eventually(_ condition: () -> Bool) -> Bool { (try? wait(until: condition)) != nil }

extension Limits {
  /// The default limits, with timeouts too long to be reached on a busy machine. A test of a timeout sets this timeout itself.
  static var patient: Limits {
    var limits = Limits()
    let long = Duration.seconds(600)
    (limits.idle, limits.head, limits.upload, limits.download, limits.grace) = (long, long, long, long, long)
    return limits
  }
}

/// A thread that answers every request with `describe`, as the writer of the store does.
final class Writer: Sendable {
  private struct Desk {
    var waiting: [(Request, Responder)] = []
    var isClosed = false
  }

  private let desk: Monitor<Desk>
  private let thread: NamedThread

  init() throws {
    let desk = Monitor(Desk())
    self.desk = desk
    thread = try NamedThread("writer") {
      while true {
        let batch = desk.wait { desk -> [(Request, Responder)]? in
          defer { desk.waiting = [] }
          return desk.waiting.isEmpty && !desk.isClosed ? nil : desk.waiting
        }
        guard let batch, !batch.isEmpty else { return }
        for (request, responder) in batch { responder.send(Response(status: 200, text: describe(request))) }
      }
    }
  }

  /// A handler that lets the thread answer each request.
  var handler: Handler {
    { [desk] request, responder in
      desk.change { $0.waiting.append((request, responder)) }
      return .later
    }
  }

  /// Returns once every request is answered and the thread has ended.
  func stop() {
    desk.change { $0.isClosed = true }
    thread.join()
  }
}
