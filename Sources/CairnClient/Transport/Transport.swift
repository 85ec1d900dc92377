import CairnTransfer
import Foundation

/// Requests to a service: no redirect followed, no cookie, no cache, nothing kept.
final class Transport: Sendable {
  private let transfers = Transfers()

  /// Sends a request. `waiting`: bytes that may wait to be read.
  func begin(_ request: TransferRequest, _ limits: TransferLimits, waiting: Int) -> RunningExchange {
    let exchange = Exchange(limit: waiting)
    let transfer = transfers.begin(request, limits) { part in
      switch part {
      case .head(let head): return exchange.put(.head(head))
      case .bytes(let bytes):
        guard exchange.put(.bytes(Data(bytes))) else {
          // Behind this end, that of the transfer is dropped.
          _ = exchange.put(.end(.malformed("more came than there is room for")))
          return false
        }
        return true
      case .end(let fault): return exchange.put(.end(fault.map { ClientError($0) }))
      }
    }
    return RunningExchange(self, exchange, transfer)
  }
}

/// An exchange on its way; given up when it is released. It holds its transport, which ends all its exchanges when it is released.
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

  /// The next part; a cancelled task gets the end `cancelled`, behind what came before.
  func next() async -> Exchange.Part {
    await withTaskCancellationHandler {
      await exchange.next()
    } onCancel: {
      transfer.cancel()
    }
  }
}
