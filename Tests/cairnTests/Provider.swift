import CairnHTTP
import CairnRuntime
import CairnTesting

/// An OAuth provider, or any other HTTP API, on loopback: sends the given responses and records the requests.
final class Provider: Sendable {
  private let server: Server
  private let noted: Monitor<[Request]>
  private let answers: Lock<[Response]>
  private let waiting: Lock<[Responder]>

  /// Sends `answers` in order, and repeats the last one. If `held` is true, each waits for `release()`.
  init(_ answers: [Response], held: Bool = false) throws {
    let waiting = Lock<[Responder]>([])
    self.waiting = waiting
    let noted = Monitor<[Request]>([])
    let queue = Lock(answers)
    self.noted = noted
    self.answers = queue
    server = try Server(
      host: "127.0.0.1", port: 0, fault: { _, _ in Response(status: 400) },
      handler: { request, responder in
        if held { waiting.withLock { $0.append(responder) } }
        noted.change { $0.append(request) }
        if held { return .later }
        return .now(queue.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
      })
  }

  deinit {
    server.stopAccepting()
    server.stop()
  }

  var url: String { "http://127.0.0.1:\(server.port)" }
  var requests: [Request] { noted.withLock { $0 } }

  /// Waits until the provider has received `times` requests.
  func asked(_ times: Int, line: UInt = #line) async throws {
    let noted = noted
    try await onOwnThread { try noted.wait(for: "request \(times) of the provider", line: line) { $0.count >= times ? () : nil } }
  }

  /// Sends the responses to the waiting requests, in the order of arrival.
  func release() {
    for responder in waiting.withLock({ $0 }) { responder.send(answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }) }
  }

  /// Replaces all remaining responses by this one.
  func answer(_ response: Response) { answers.withLock { $0 = [response] } }

  static func json(_ text: String, status: Int = 200) -> Response { Response(status: status, text: text, type: "application/json") }

  static func token(_ token: String) -> Response {
    json(#"{"client_id":"clientId","scopes":["read_qiita","write_qiita"],"token":"\#(token)"}"#)
  }
}
