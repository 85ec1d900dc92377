#if !canImport(CCurl)
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The exchanges in progress by the identifier of their task. URLSession calls the delegate methods on its own queue.
  ///
  /// Unchecked, because NSObject is not Sendable; all properties are constant or guarded.
  final class TransferTable: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Entry {
      let task: URLSessionTask
      let limits: TransferLimits
      let receive: @Sendable (TransferPart) -> Bool
      var count = 0
      var hasHead = false
    }

    private struct Entries {
      var byTask: [Int: Entry] = [:]
      var isStopped = false
    }

    private let entries = Guarded(Entries())

    /// Registers an exchange. If the table has been stopped, delivers the end `cancelled` and returns `false`.
    func begin(_ task: URLSessionTask, _ limits: TransferLimits, _ receive: @escaping @Sendable (TransferPart) -> Bool) -> Bool {
      let isBegun = entries.withLock { entries in
        if !entries.isStopped { entries.byTask[task.taskIdentifier] = Entry(task: task, limits: limits, receive: receive) }
        return !entries.isStopped
      }
      if !isBegun { _ = receive(.end(.cancelled)) }
      return isBegun
    }

    /// Cancels the task of an exchange and delivers its end. Does nothing if the exchange has ended.
    func end(_ task: URLSessionTask, _ fault: TransferFault) {
      guard let entry = entries.withLock({ $0.byTask.removeValue(forKey: task.taskIdentifier) }) else { return }
      task.cancel()
      _ = entry.receive(.end(fault))
    }

    /// Ends all exchanges as `cancelled`, and rejects new exchanges.
    func stop() {
      let tasks = entries.withLock { entries in
        entries.isStopped = true
        return entries.byTask.values.map(\.task)
      }
      for task in tasks { end(task, .cancelled) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      // Redirects are not followed, because they could send a secret to another server; the redirect itself is the response. On Linux,
      // calling the handler of a cancelled task ends the process. The lock prevents this, because `end` removes the task under the lock
      // before it cancels the task.
      entries.withLock { if $0.byTask[task.taskIdentifier] != nil { completionHandler(nil) } }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let response = challenge.failureResponse as? HTTPURLResponse else {
        return completionHandler(.performDefaultHandling, nil)
      }
      // No password is available, so a 401 that requests a password is delivered as the response. (URLSession's default handling would hang
      // on Linux.)
      if let entry = entries.withLock({ $0.byTask.removeValue(forKey: task.taskIdentifier) }) {
        _ = entry.receive(.head(Self.head(of: response)))
        _ = entry.receive(.end(nil))
      }
      completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      let entry = entries.withLock { entries in
        entries.byTask[dataTask.taskIdentifier]?.hasHead = true
        return entries.byTask[dataTask.taskIdentifier]
      }
      if let entry, response.expectedContentLength > Int64(clamping: entry.limits.body) {
        end(dataTask, .bodyTooLarge(entry.limits.body))
      } else if let entry, let response = response as? HTTPURLResponse, !entry.receive(.head(Self.head(of: response))) {
        end(dataTask, .cancelled)
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let entry = entries.withLock { entries in
        entries.byTask[dataTask.taskIdentifier]?.count += data.count
        return entries.byTask[dataTask.taskIdentifier]
      }
      guard let entry else { return }
      if entry.count > entry.limits.body {
        end(dataTask, .bodyTooLarge(entry.limits.body))
      } else if !entry.receive(.bytes(Array(data))) {
        end(dataTask, .cancelled)
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let entry = entries.withLock({ $0.byTask.removeValue(forKey: task.taskIdentifier) }) else { return }
      _ = entry.receive(.end(error.map { TransferFault($0, hasHead: entry.hasHead) }))
    }

    private static func head(of response: HTTPURLResponse) -> TransferHead {
      var head = TransferHead(status: response.statusCode)
      for (name, value) in response.allHeaderFields { head.headers["\(name)".lowercased()] = "\(value)" }
      return head
    }
  }

  extension TransferFault {
    /// Converts URLSession's error.
    fileprivate init(_ error: any Error, hasHead: Bool) {
      guard let error = error as? URLError else {
        self = .failed(0)
        return
      }
      self =
        switch error.code {
        case .timedOut: .timeout
        case .cancelled: .cancelled
        case .cannotFindHost, .dnsLookupFailed: .unknownHost
        case .cannotConnectToHost: .noConnection
        // On Linux, `badServerResponse` also occurs if a connection ends before any response.
        case .networkConnectionLost, .badServerResponse: .broken(hasHead: hasHead)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
          .serverCertificateHasUnknownRoot:
          .notSecure
        // On Linux, `unsupportedURL` means that the response is not HTTP. The address has been checked before.
        case .cannotParseResponse, .unsupportedURL, .zeroByteResource: .notHTTP
        case .cannotDecodeContentData, .cannotDecodeRawData: .encoding
        case .badURL: .address
        default: .failed(error.code.rawValue)
        }
    }
  }
#endif
