import CairnClient
import CairnCore
import Foundation

/// Sends requests to a running service, one after the other. Used by one thread.
struct ServiceClient {
  /// The service's address without a path, such as `http://127.0.0.1:8080`.
  let base: URL
  private let client: CairnClient

  /// Creates a client. `key` is an operator key.
  init(base: URL, key: String) {
    self.base = base
    client = CairnClient(url: base, key: key, retry: SessionOptions.retry)
  }

  /// A response with a JSON body.
  struct Answer: Sendable {
    var status: Int
    var body: Value
  }

  /// Sends a request and waits for the response. Throws if the service does not respond.
  func send(_ method: String, _ path: String, _ body: Value? = nil) throws(StartFailure) -> Answer {
    let client = client
    do {
      let answer = try Blocking.run { () async throws(ClientError) in try await client.exchange(method, path, body) }
      return Answer(status: answer.status, body: answer.json)
    } catch {
      throw .tool("\(base.absoluteString): \(error.text)")
    }
  }
}
