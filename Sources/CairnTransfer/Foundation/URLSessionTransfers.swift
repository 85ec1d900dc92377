#if !canImport(CCurl)
  import Dispatch
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// HTTP exchanges over URLSession, for systems that lack libcurl's header. Redirects are not followed, and no cookies or credentials are
  /// stored. Thread-safe.
  package final class Transfers: Sendable {
    private let session: URLSession
    private let table = TransferTable()

    /// Creates the URLSession. Opens no connection.
    package init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.connectionProxyDictionary = [:]
      // Each open stream uses a connection. With the default limit of six, further requests would wait.
      configuration.httpMaximumConnectionsPerHost = 1_024
      session = URLSession(configuration: configuration, delegate: table, delegateQueue: nil)
    }

    deinit {
      table.stop()
      // invalidateAndCancel is not used: it accesses the tasks while the queue ends them, and crashes on Linux.
      session.finishTasksAndInvalidate()
    }

    /// Sends a request. `receive` gets the parts of the response in order on URLSession's queue. The part `end` arrives exactly once,
    /// possibly on another thread. `receive` must not block; it returns `false` to cancel the exchange.
    package func begin(
      _ request: TransferRequest, _ limits: TransferLimits, receive: @escaping @Sendable (TransferPart) -> Bool
    ) -> Transfer {
      guard request.fault == nil, let url = URL(string: request.url), url.host?.isEmpty == false else {
        _ = receive(.end(request.fault ?? .address))
        return Transfer {}
      }
      // URLSession's timeout limits the time between two parts. The time of the whole exchange is limited below.
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

    /// Ends all exchanges as `cancelled`, and immediately ends every exchange that begins later.
    package func stop() { table.stop() }
  }

  extension Duration {
    fileprivate var interval: Double {
      let (seconds, attoseconds) = components
      return Double(seconds) + Double(attoseconds) / 1e18
    }
  }
#endif
