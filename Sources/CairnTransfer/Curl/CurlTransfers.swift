#if canImport(CCurl)
  /// HTTP exchanges over libcurl, all on one thread: HTTP/1.1, no redirects, no proxies, no cookies, no stored credentials. Any thread.
  package final class Transfers: Sendable {
    private let loop = CurlLoop()

    /// Starts nothing: the thread comes with the first exchange.
    package init() {}

    deinit { loop.stop() }

    /// Sends a request. `receive` gets the parts in order on the thread of the exchanges, `end` exactly once, and must not block; if it
    /// returns false, no more is wanted.
    package func begin(
      _ request: TransferRequest, _ limits: TransferLimits, receive: @escaping @Sendable (TransferPart) -> Bool
    ) -> Transfer {
      let exchange = CurlExchange(request, limits, receive)
      loop.begin(exchange)
      return Transfer { [loop] in loop.cancel(exchange) }
    }

    /// Ends all exchanges as `cancelled`, and every further one. Blocks until that is done, not longer than a receiver takes.
    package func stop() { loop.stop() }
  }
#endif
