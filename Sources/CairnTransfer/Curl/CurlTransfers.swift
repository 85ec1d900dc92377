#if canImport(CCurl)
  /// HTTP/1.1 exchanges over libcurl, all on one thread. Redirects are not followed, proxies are not used, and no cookies or credentials
  /// are stored. Thread-safe.
  package final class Transfers: Sendable {
    private let loop = CurlLoop()

    /// Creates an object without a thread. The first exchange starts the thread.
    package init() {}

    deinit { loop.stop() }

    /// Sends a request. `receive` gets the parts of the response in order on the thread of the exchanges. The part `end` arrives exactly
    /// once; if the exchange cannot begin, it arrives on the calling thread. `receive` must not block; it returns `false` to cancel the
    /// exchange.
    package func begin(
      _ request: TransferRequest, _ limits: TransferLimits, receive: @escaping @Sendable (TransferPart) -> Bool
    ) -> Transfer {
      let exchange = CurlExchange(request, limits, receive)
      loop.begin(exchange)
      return Transfer { [loop] in loop.cancel(exchange) }
    }

    /// Ends all exchanges as `cancelled`, and immediately ends every exchange that begins later. Blocks until the receivers have returned,
    /// unless a receiver calls it.
    package func stop() { loop.stop() }
  }
#endif
