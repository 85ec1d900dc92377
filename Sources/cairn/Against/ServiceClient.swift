import CairnCore
import Foundation
import FoundationNetworking

/// A running service, asked one thing after the other. One thread's.
struct ServiceClient {
  /// `http://127.0.0.1:8080`, without a path.
  let base: URL
  /// The operator's key.
  let key: String

  /// How long a request may take, seconds.
  private static let patience = 30.0

  /// An answer in JSON.
  struct Answer: Sendable {
    var status: Int
    var body: Value
  }

  /// Sends a request and waits for its answer. Throws where there is none.
  func send(_ method: String, _ path: String, _ body: Value? = nil) throws(StartFailure) -> Answer {
    guard let url = URL(string: base.absoluteString + path) else { throw .tool("\(path) is no path") }
    var request = URLRequest(url: url, timeoutInterval: Self.patience)
    request.httpMethod = method
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    if let body {
      guard let data = try? JSONEncoder().encode(body) else { throw .tool("\(path): what is to be sent holds a number that JSON has not") }
      request.httpBody = data
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let exchange = Exchange()
    let task = Self.session.dataTask(with: request) { data, response, error in
      exchange.end(data, response, error)
    }
    task.resume()
    let (data, status, fault) = exchange.wait()
    guard let status else { throw .tool("\(base.absoluteString) does not answer: \(fault ?? "no HTTP answer")") }
    return Answer(status: status, body: (try? JSONDecoder().decode(Value.self, from: data)) ?? .null)
  }

  private static let session = URLSession(configuration: .ephemeral)

  /// Where an answer is waited for.
  private final class Exchange: @unchecked Sendable {
    // Unchecked: written once before the signal, read once after it.
    private let isOver = DispatchSemaphore(value: 0)
    private var data = Data()
    private var status: Int?
    private var fault: String?

    func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
      self.data = data ?? Data()
      status = (response as? HTTPURLResponse)?.statusCode
      fault = error?.localizedDescription
      isOver.signal()
    }

    func wait() -> (Data, Int?, String?) {
      isOver.wait()
      return (data, status, fault)
    }
  }
}
