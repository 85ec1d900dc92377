import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The exchanges that run, by the number of their task. URLSession speaks to it on its own queue.
///
/// Unchecked, because NSObject is not Sendable by itself; all that it holds is constant or under the lock.
final class ExchangeTable: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let exchanges = Guarded<[Int: Exchange]>([:])

  func begin(_ task: URLSessionTask, _ exchange: Exchange) { exchanges.withLock { $0[task.taskIdentifier] = exchange } }

  /// Ends an exchange from outside; passed over when it has ended before.
  func abandon(_ task: URLSessionTask, _ error: ClientError) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    task.cancel()
    _ = exchange.put(.end(error))
  }

  private func end(_ task: URLSessionTask, _ error: ClientError?) {
    _ = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.put(.end(error))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // A redirect may lead elsewhere with the secret: it is not followed, its status is the answer.
    // On Linux the handler of a task that was cancelled meanwhile ends the process: so it is called under the lock that who cancels needs first.
    exchanges.withLock { exchanges in
      if exchanges[task.taskIdentifier] != nil { completionHandler(nil) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // Only a proxy asks for a password, and there is none to give; the service's 401 asks for nothing that URLSession knows.
    guard challenge.failureResponse != nil else {
      return completionHandler(.performDefaultHandling, nil)
    }
    end(task, .unreachable("something on the way asks for a password"))
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    var head = Exchange.Head(status: 0, headers: [:])
    if let response = response as? HTTPURLResponse {
      head.status = response.statusCode
      for (name, value) in response.allHeaderFields { head.headers["\(name)".lowercased()] = "\(value)" }
    }
    _ = exchanges.withLock { $0[dataTask.taskIdentifier] }?.put(.head(head))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
    if exchange?.put(.bytes(data)) == false { abandon(dataTask, .malformed("more came than there is room for")) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task, error.map(ClientError.init(transport:)))
  }
}
