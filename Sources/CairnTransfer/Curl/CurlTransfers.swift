#if canImport(CCurl)
  /// HTTP/1.1 exchanges over libcurl, all on one thread, without redirects, proxies, cookies or stored credentials. Thread-safe.
  package final class Transfers: Sendable {
    private let loop = CurlLoop()

    /// Creates an object without a thread. The first exchange starts the thread.
    package init() {}

    deinit { loop.stop() }

    /// Sends a request. `receive` gets the parts of the response in order on the thread of the exchanges. The part `end` arrives exactly
    /// once. `receive` must not block; it returns `false` to cancel the exchange.
    package func begin(
      _ request: TransferRequest, _ limits: TransferLimits, receive: @escaping @Sendable (TransferPart) -> Bool
    ) -> Transfer {
      let exchange = CurlExchange(request, limits, receive)
      loop.begin(exchange)
      return Transfer { [loop] in loop.cancel(exchange) }
    }

    /// Ends all exchanges as `cancelled`, and immediately ends every further one. Blocks until the receivers have returned.
    package func stop() { loop.stop() }
  }
#endif
