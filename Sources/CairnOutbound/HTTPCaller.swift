import CairnTransfer

/// Calls with a whole, bounded answer. Any thread.
final class HTTPCaller: Sendable {
  /// A status and a body.
  struct Received: Sendable {
    var status = 0
    var body: [UInt8] = []
    /// The header `Retry-After`, as it came.
    var retryAfter: String?
  }

  private let transfers = Transfers()
  private let limit: Int

  /// `limit`: bytes in an answer's body, after decompression.
  init(limit: Int) { self.limit = limit }

  /// Sends a request; `finish` is called once, on the thread of the transfers. `timeout`: for the whole call. The closure that is returned
  /// gives the call up.
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

  /// Gives up all calls, and every further one; blocks until that is done.
  func stop() { transfers.stop() }
}
