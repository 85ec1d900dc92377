import CairnTransfer

/// Sends requests and collects each response as a whole, up to a size limit. Thread-safe.
final class HTTPCaller: Sendable {
  /// A complete response.
  struct Received: Sendable {
    var status = 0
    var body: [UInt8] = []
    /// The unparsed value of the header `Retry-After`; `nil` if the response does not have this header.
    var retryAfter: String?
  }

  private let transfers = Transfers()
  private let limit: Int

  /// Creates a caller. `limit` is the maximum number of bytes in a response body after decompression.
  init(limit: Int) { self.limit = limit }

  /// Sends a request. `finish` is called once: on the thread of the transfers, or on the calling thread if the transfer cannot begin.
  /// `timeout` applies to the whole call. The returned closure cancels the call.
  func send(
    _ request: TransferRequest, within timeout: Duration, finish: @escaping @Sendable (Result<Received, CallFault>) -> Void
  ) -> @Sendable () -> Void {
    let received = Guarded(Received())
    let transfer = transfers.begin(request, TransferLimits(body: limit, whole: timeout)) { part in
      switch part {
      case .head(let head):
        received.withLock { ($0.status, $0.retryAfter) = (head.status, head.headers["retry-after"]) }
      case .bytes(let bytes): received.withLock { $0.body += bytes }
      case .end(nil): finish(.success(received.withLock { $0 }))
      case .end(let fault?): finish(.failure(CallFault(fault)))
      }
      return true
    }
    return { transfer.cancel() }
  }

  /// Cancels all calls and rejects new calls. Blocks until all calls have ended.
  func stop() { transfers.stop() }
}
