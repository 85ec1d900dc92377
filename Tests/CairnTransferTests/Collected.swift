import CairnRuntime
import CairnTesting
import CairnTransfer

/// The calls that a test's receiver got for one exchange.
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

  /// `keeps`: the body's bytes, not only their number.
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

  /// Blocks until the end has come.
  func whole() throws -> Whole { try ended.value() }

  /// How many ends came.
  var ends: Int { ended.count }
}

extension Transfers {
  /// Sends a GET and blocks until its end.
  func get(_ url: String, _ limits: TransferLimits = TransferLimits(body: 1 << 20, whole: .seconds(20))) throws -> Collected.Whole {
    let collected = Collected(keeps: true)
    _ = begin(TransferRequest("GET", url), limits) { collected.take($0) }
    return try collected.whole()
  }
}
