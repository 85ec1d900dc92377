package import CairnCore
import CairnTransfer
package import Foundation

/// Sends requests to the address of a service.
package struct Wire: Sendable {
  /// The service's address without a slash at its end.
  let base: String
  let transport = Transport()
  var retry: RetryPolicy

  /// The maximum number of bytes in a response body.
  static let limit = 64 << 20

  /// A request to the service.
  package struct Call: Sendable {
    package var method: String
    /// The percent-encoded path with its query.
    package var path: String
    package var body: Data?
    package var type = "application/json"
    package var headers: [String: String] = [:]
    /// The session's secret or an operator key; `nil` for requests without a credential.
    package var credential: String?

    package init(_ method: String, _ path: String, credential: String?) {
      self.method = method
      self.path = path
      self.credential = credential
    }
  }

  /// A complete response.
  package struct Answer: Sendable {
    package var status: Int
    /// The headers by name in lower case.
    package var headers: [String: String]
    package var body: Data
    /// The number of attempts that were made, including the successful one.
    package var attempts = 1

    /// The body; `null` if it is not JSON.
    package var json: Value { (try? JSONDecoder().decode(Value.self, from: body)) ?? .null }

    /// Decodes the body as JSON. Throws `malformed` if it does not have the type's form.
    package func read<Body: Decodable>(as type: Body.Type = Body.self) throws(ClientError) -> Body {
      do {
        return try JSONDecoder().decode(type, from: body)
      } catch {
        throw .malformed("it has the status \(status), but a body of an unexpected form")
      }
    }
  }

  /// Sends a request, with retries according to the policy. Throws if the status is 400 or higher.
  func send(_ call: Call) async throws(ClientError) -> Answer {
    let answer = try await exchange(call)
    guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
    return answer
  }

  /// Sends a request, with retries according to the policy. Returns the response even if its status is an error.
  package func exchange(_ call: Call) async throws(ClientError) -> Answer {
    let request = try request(call)
    var attempts = 0
    while true {
      attempts += 1
      do throws(ClientError) {
        var answer = try await attempt(request)
        answer.attempts = attempts
        let asked = answer.headers["retry-after"].flatMap { Int($0) }.map { Duration.seconds($0) }
        guard ServiceProblem.isBusy(answer.status, asked: asked), let wait = retry.wait(after: attempts, asked: asked) else {
          return answer
        }
        try await pause(wait)
      } catch {
        guard error.mayPass, let wait = retry.wait(after: attempts, asked: nil) else { throw error }
        try await pause(wait)
      }
    }
  }

  /// Sends a request once, without retries. Returns the response even if its status is an error.
  func once(_ call: Call) async throws(ClientError) -> Answer {
    var wire = self
    wire.retry.attempts = 1
    return try await wire.exchange(call)
  }

  /// Waits, using the policy's function. Throws `cancelled` if the task is cancelled.
  func pause(_ wait: Duration) async throws(ClientError) {
    do { try await retry.pause(wait) } catch { throw .cancelled }
  }

  private func attempt(_ request: TransferRequest) async throws(ClientError) -> Answer {
    let running = transport.begin(request, TransferLimits(body: Self.limit, whole: retry.timeout), waiting: Self.limit)
    var answer = Answer(status: 0, headers: [:], body: Data())
    while true {
      switch await running.next() {
      case .head(let head): (answer.status, answer.headers) = (head.status, head.headers)
      case .bytes(let data): answer.body.append(data)
      case .end(let error?): throw error
      case .end(nil): return answer
      }
    }
  }

  /// Creates the HTTP request. Throws if the address is invalid.
  func request(_ call: Call) throws(ClientError) -> TransferRequest {
    guard let url = URL(string: base + call.path) else { throw .unreachable("not a URL: \(call.path)") }
    var headers = call.headers
    if call.body != nil { headers["Content-Type"] = call.type }
    if let credential = call.credential { headers["Authorization"] = "Bearer \(credential)" }
    return TransferRequest(call.method, url.absoluteString, headers: headers, body: call.body.map { Array($0) })
  }
}
