import CairnRuntime
import Dispatch
import Foundation
import FoundationNetworking

/// Plain HTTP calls over URLSession: no redirect followed, no cookie, no cache, answers and time bounded.
final class HTTPCaller: Sendable {
  /// A status and a body.
  struct Received: Sendable {
    var status: Int
    var body: Data
    /// The header `Retry-After`, as it came.
    var retryAfter: String?
  }

  private let session: URLSession
  private let table: CallTable

  /// `limit`: bytes in an answer's body.
  init(limit: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 64
    table = CallTable(limit: limit)
    session = URLSession(configuration: configuration, delegate: table, delegateQueue: nil)
  }

  deinit {
    table.abandonAll()
    session.finishTasksAndInvalidate()
  }

  /// Sends a request; `finish` comes once, on a thread of URLSession's or of the timer's. `timeout`: for the whole call. The closure that comes
  /// back gives the call up.
  func send(
    _ request: URLRequest, within timeout: Duration, finish: @escaping @Sendable (Result<Received, CallFault>) -> Void
  ) -> @Sendable () -> Void {
    var request = request
    // URLSession's own timeout looks at idle time alone; the timer here holds the whole call to its bound, and comes first.
    request.timeoutInterval = timeout.seconds * 2
    let task = session.dataTask(with: request)
    let id = task.taskIdentifier
    let table = table
    table.begin(id, finish)
    DispatchQueue.global().asyncAfter(deadline: .now() + timeout.seconds) { table.abandon(task, .timeout) }
    task.resume()
    return { table.abandon(task, .unreachable("given up")) }
  }
}

/// The calls that run, by the number of their task. URLSession speaks to it on its own queue.
///
/// Unchecked, because NSObject is not Sendable by itself; all that it holds is constant or under the lock.
private final class CallTable: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Call {
    let finish: @Sendable (Result<HTTPCaller.Received, CallFault>) -> Void
    var answer = HTTPCaller.Received(status: 0, body: Data())
  }

  private let calls = Lock<[Int: Call]>([:])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func begin(_ id: Int, _ finish: @escaping @Sendable (Result<HTTPCaller.Received, CallFault>) -> Void) {
    calls.withLock { $0[id] = Call(finish: finish) }
  }

  /// Ends a call, with what it has received unless there is a fault; passed over when it has ended before.
  private func end(_ id: Int, _ result: Result<Void, CallFault>) {
    guard let call = calls.withLock({ $0.removeValue(forKey: id) }) else { return }
    call.finish(result.map { call.answer })
  }

  /// Ends a call from outside; passed over when it has ended before.
  func abandon(_ task: URLSessionTask, _ fault: CallFault) {
    guard let call = calls.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    task.cancel()
    call.finish(.failure(fault))
  }

  /// Ends all calls, because the session is about to cancel them.
  func abandonAll() {
    let ended = calls.withLock { calls in
      defer { calls = [:] }
      return calls.values.map(\.finish)
    }
    for finish in ended { finish(.failure(.unreachable("given up"))) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // A redirect may lead elsewhere with the token or the code: it is not followed, its status is the answer.
    // On Linux the handler of a task that was cancelled meanwhile ends the process. So it is called only while the call is in the
    // table, under the lock: who cancels takes the call out first, and so cancels either before, or after the handler was queued.
    calls.withLock { calls in
      if calls[task.taskIdentifier] != nil { completionHandler(nil) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // A 401 that asks for a password: there is none, so its status is the answer. (Left to itself, URLSession waits on Linux.)
    let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
    end(task.taskIdentifier, .failure(.status(status)))
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let retryAfter = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Retry-After")
    calls.withLock {
      $0[dataTask.taskIdentifier]?.answer.status = status
      $0[dataTask.taskIdentifier]?.answer.retryAfter = retryAfter
    }
    if response.expectedContentLength > Int64(limit) {
      abandon(dataTask, tooLong)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = dataTask.taskIdentifier
    let isTooLong = calls.withLock { calls in
      calls[id]?.answer.body.append(data)
      return (calls[id]?.answer.body.count ?? 0) > limit
    }
    if isTooLong { abandon(dataTask, tooLong) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task.taskIdentifier, error.map { .failure(CallFault($0)) } ?? .success(()))
  }

  private var tooLong: CallFault { .malformed("more than \(limit) bytes") }
}

extension Duration {
  fileprivate var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
