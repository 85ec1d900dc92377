#if !canImport(CCurl)
  import Dispatch
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// HTTP exchanges over URLSession, where libcurl's header is not installed: no redirects, no cookies, no stored credentials. Any thread.
  package final class Transfers: Sendable {
    private let session: URLSession
    private let table = TransferTable()

    /// Connects to nothing yet.
    package init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.connectionProxyDictionary = [:]
      // Each open stream is one; the default of six would let the seventh and every request behind it wait.
      configuration.httpMaximumConnectionsPerHost = 1_024
      session = URLSession(configuration: configuration, delegate: table, delegateQueue: nil)
    }

    deinit {
      table.stop()
      // invalidateAndCancel walks the tasks beside the queue that ends them, and traps on Linux.
      session.finishTasksAndInvalidate()
    }

    /// Sends a request. `receive` gets the parts in order on a thread of the exchanges, `end` exactly once, and must not block; if it
    /// returns false, no more is wanted.
    package func begin(
      _ request: TransferRequest, _ limits: TransferLimits, receive: @escaping @Sendable (TransferPart) -> Bool
    ) -> Transfer {
      guard request.fault == nil, let url = URL(string: request.url), url.host?.isEmpty == false else {
        _ = receive(.end(request.fault ?? .address))
        return Transfer {}
      }
      // URLSession's own timeout is the time without a part; the time as a whole is watched here.
      let day = Duration.seconds(86_400)
      var urlRequest = URLRequest(url: url, timeoutInterval: (limits.idle ?? limits.whole.map { $0 * 2 } ?? day).interval)
      urlRequest.httpMethod = request.method
      urlRequest.httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
      let task = session.dataTask(with: urlRequest)
      guard table.begin(task, limits, receive) else { return Transfer {} }
      if let whole = limits.whole {
        DispatchQueue.global().asyncAfter(deadline: .now() + whole.interval) { [table] in table.end(task, .timeout) }
      }
      task.resume()
      return Transfer { [table] in table.end(task, .cancelled) }
    }

    /// Ends all exchanges as `cancelled`, and every further one.
    package func stop() { table.stop() }
  }

  extension Duration {
    fileprivate var interval: Double {
      let (seconds, attoseconds) = components
      return Double(seconds) + Double(attoseconds) / 1e18
    }
  }
#endif
