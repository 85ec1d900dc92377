import CairnClient
import CairnCore
import Foundation

/// A running service, asked one thing after the other. One thread's.
struct ServiceClient {
  /// `http://127.0.0.1:8080`, without a path.
  let base: URL
  private let client: CairnClient

  /// `key`: the operator's.
  init(base: URL, key: String) {
    self.base = base
    client = CairnClient(url: base, key: key, retry: SessionOptions.retry)
  }

  /// An answer in JSON.
  struct Answer: Sendable {
    var status: Int
    var body: Value
  }

  /// Sends a request and waits for its answer. Throws where there is none.
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
