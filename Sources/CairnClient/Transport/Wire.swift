package import CairnCore
import CairnTransfer
package import Foundation

/// A service's address, and how requests get there.
package struct Wire: Sendable {
  /// Without a slash at its end.
  let base: String
  let transport = Transport()
  let retry: RetryPolicy

  /// Bytes in an answer at most.
  static let limit = 64 << 20

  /// A request to the service.
  package struct Call: Sendable {
    package var method: String
    /// With its query, encoded.
    package var path: String
    package var body: Data?
    package var type = "application/json"
    package var headers: [String: String] = [:]
    /// The session's secret or the operator's key.
    package var credential: String?

    package init(_ method: String, _ path: String, credential: String?) {
      self.method = method
      self.path = path
      self.credential = credential
    }
  }

  /// An answer, whole.
  package struct Answer: Sendable {
    package var status: Int
    /// By name in lower case.
    package var headers: [String: String]
    package var body: Data
    /// How often it was asked for.
    package var attempts = 1

    /// The body; null where it is not JSON.
    package var json: Value { (try? JSONDecoder().decode(Value.self, from: body)) ?? .null }

    /// Reads the body.
    package func read<Body: Decodable>(as type: Body.Type = Body.self) throws(ClientError) -> Body {
      do {
        return try JSONDecoder().decode(type, from: body)
      } catch {
        throw .malformed("status \(status), and a body of another shape")
      }
    }
  }

  /// The answer with a status below 400; sends as often as the policy says.
  func send(_ call: Call) async throws(ClientError) -> Answer {
    let answer = try await exchange(call)
    guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
    return answer
  }

  /// The answer with whatever status, after as many attempts as the policy says.
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

  /// Waits as the policy does.
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

  /// The request of a call. Throws if the address is invalid.
  func request(_ call: Call) throws(ClientError) -> TransferRequest {
    guard let url = URL(string: base + call.path) else { throw .unreachable("not an address: \(call.path)") }
    var headers = call.headers
    if call.body != nil { headers["Content-Type"] = call.type }
    if let credential = call.credential { headers["Authorization"] = "Bearer \(credential)" }
    return TransferRequest(call.method, url.absoluteString, headers: headers, body: call.body.map { Array($0) })
  }
}
