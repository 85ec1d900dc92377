import CairnRuntime
import CairnTesting
import CairnTransfer

/// Records the calls of a receiver for one exchange.
final class Collected: Sendable {
  struct Whole: Sendable {
    var head: TransferHead?
    var count = 0
    var body: [UInt8] = []
    var fault: TransferFault?
  }

  private let state = Lock(Whole())
  private let ended = Awaited<Whole>()
  private let keeps: Bool

  /// If `keeps` is true, the body's bytes are recorded. Otherwise only their number is.
  init(keeps: Bool = false) { self.keeps = keeps }

  func take(_ part: TransferPart) -> Bool {
    state.withLock { whole in
      switch part {
      case .head(let head): whole.head = head
      case .bytes(let bytes):
        whole.count += bytes.count
        if keeps { whole.body += bytes }
      case .end(let fault): whole.fault = fault
      }
    }
    if case .end = part { ended.give(state.withLock { $0 }) }
    return true
  }

  /// Blocks until the exchange has ended.
  func whole() throws -> Whole { try ended.value() }

  /// The number of ends.
  var ends: Int { ended.count }
}

extension Transfers {
  /// Sends a GET and blocks until it has ended.
  func get(_ url: String, _ limits: TransferLimits = TransferLimits(body: 1 << 20, whole: .seconds(20))) throws -> Collected.Whole {
    let collected = Collected(keeps: true)
    _ = begin(TransferRequest("GET", url), limits) { collected.take($0) }
    return try collected.whole()
  }
}
