import CairnCore

/// How an answer goes back; called once.
typealias Reply<Answer> = @Sendable (Result<Answer, StoreFault>) -> Void

/// What the writer is asked to do.
enum Message: Sendable {
  case create(NewSession, Reply<Created>)
  case post([Command], session: String, matching: [Int]?, author: String?, Reply<Posted>)
  case delete(session: String, matching: [Int]?, Reply<Void>)
  /// A timer ticked for the n-th time, or a known value's delay is over.
  case due(EffectKey, tick: Int)
  /// A call that left the machine ended.
  case ended(EffectKey, OutboundResult)
  /// A call that could not be made is to be made now.
  case again(EffectKey)

  var isExternal: Bool {
    switch self {
    case .create, .post, .delete: true
    case .due, .ended, .again: false
    }
  }
}
