import CairnTransfer
import Foundation

/// Sends requests to a service. It follows no redirects, and keeps neither cookies nor a cache.
final class Transport: Sendable {
  private let transfers = Transfers()

  /// Sends a request. `waiting` is the maximum number of unread bytes of the response.
  func begin(_ request: TransferRequest, _ limits: TransferLimits, waiting: Int) -> RunningExchange {
    let exchange = Exchange(limit: waiting)
    let transfer = transfers.begin(request, limits) { part in
      switch part {
      case .head(let head): return exchange.put(.head(head))
      case .bytes(let bytes):
        guard exchange.put(.bytes(Data(bytes))) else {
          // The end that the transfer reports later is ignored.
          _ = exchange.put(.end(.malformed("it has more bytes than the buffer can hold")))
          return false
        }
        return true
      case .end(let fault): return exchange.put(.end(fault.map { ClientError($0) }))
      }
    }
    return RunningExchange(self, exchange, transfer)
  }
}

/// An exchange in progress, which is cancelled when this object is released. It retains its transport, because a released transport cancels
/// all its exchanges.
final class RunningExchange: Sendable {
  private let transport: Transport
  private let exchange: Exchange
  private let transfer: Transfer

  init(_ transport: Transport, _ exchange: Exchange, _ transfer: Transfer) {
    self.transport = transport
    self.exchange = exchange
    self.transfer = transfer
  }

  deinit { transfer.cancel() }

  /// Returns the next part. If the task is cancelled, the parts that have already arrived are followed by the end `cancelled`.
  func next() async -> Exchange.Part {
    await withTaskCancellationHandler {
      await exchange.next()
    } onCancel: {
      transfer.cancel()
    }
  }
}
