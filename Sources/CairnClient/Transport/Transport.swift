import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests over URLSession: no redirect followed, no cookie, no cache, nothing kept.
final class Transport: Sendable {
  private let session: URLSession
  private let table = ExchangeTable()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // Each open stream is one; the default of six would let the seventh and every request behind it wait.
    configuration.httpMaximumConnectionsPerHost = 1_024
    session = URLSession(configuration: configuration, delegate: table, delegateQueue: nil)
  }

  // All tasks have ended: who runs one holds this too. (invalidateAndCancel walks the tasks beside the queue that ends them, and traps on Linux.)
  deinit { session.finishTasksAndInvalidate() }

  /// Sends a request. `limit`: bytes that may wait to be taken; the request's own timeout bounds how long nothing comes.
  func begin(_ request: URLRequest, limit: Int) -> RunningExchange {
    let exchange = Exchange(limit: limit)
    let task = session.dataTask(with: request)
    table.begin(task, exchange)
    task.resume()
    return RunningExchange(self, exchange, task)
  }

  /// Ends a task that may have ended before.
  func abandon(_ task: URLSessionTask, _ error: ClientError) { table.abandon(task, error) }
}

/// An exchange on its way; given up when nobody holds it any more.
final class RunningExchange: Sendable {
  private let transport: Transport
  private let exchange: Exchange
  private let task: URLSessionTask

  init(_ transport: Transport, _ exchange: Exchange, _ task: URLSessionTask) {
    self.transport = transport
    self.exchange = exchange
    self.task = task
  }

  deinit { transport.abandon(task, .cancelled) }

  /// The next part; a cancelled task gets the end `cancelled`, behind what came before.
  func next() async -> Exchange.Part {
    await withTaskCancellationHandler {
      await exchange.next()
    } onCancel: {
      giveUp(.cancelled)
    }
  }

  /// Ends it now.
  func giveUp(_ error: ClientError) { transport.abandon(task, error) }
}
