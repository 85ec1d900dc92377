import CairnCore
import CairnRuntime

/// Where commands wait for the writer. Commands from outside are bounded; what comes back from effects is not.
final class Mailbox: Sendable {
  private struct Contents {
    var messages: [Message] = []
    var external = 0
    var isOpen = false
    var isNudged = false
  }

  /// What the writer took.
  struct Taken {
    var messages: [Message]
    /// No further one will come.
    var isLast: Bool
  }

  private let contents = Monitor(Contents())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Commands from outside that wait now.
  var depth: Int { contents.withLock { $0.external } }

  /// Whether commands are let in.
  var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Lets commands in.
  func open() { contents.withLock { $0.isOpen = true } }

  /// Refuses what comes from now on; the writer takes what is there, then ends.
  func close() { contents.change { $0.isOpen = false } }

  /// Puts a command in; the fault if it may not wait.
  func offer(_ message: Message) -> StoreFault? {
    contents.change { contents in
      guard contents.isOpen else { return .stopping }
      guard contents.external < limit else { return .queueFull }
      contents.external += 1
      contents.messages.append(message)
      return nil
    }
  }

  /// Puts the end of an effect in, whatever the bound; passed over when closed (it runs again after a restart).
  func deliver(_ message: Message) {
    contents.change { contents in
      if contents.isOpen { contents.messages.append(message) }
    }
  }

  /// Wakes the writer, so that it looks at its clock.
  func nudge() { contents.change { $0.isNudged = true } }

  /// Blocks until there is something to take, the deadline (`Monotonic`) has passed, or it is closed. At most `limit` messages.
  func take(until deadline: UInt64?, limit: Int) -> Taken {
    let taken: Taken? = contents.wait(until: deadline) { contents in
      guard !contents.messages.isEmpty || contents.isNudged || !contents.isOpen else { return nil }
      contents.isNudged = false
      let messages = Array(contents.messages.prefix(limit))
      contents.messages.removeFirst(messages.count)
      contents.external -= messages.count { $0.isExternal }
      return Taken(messages: messages, isLast: !contents.isOpen && contents.messages.isEmpty)
    }
    return taken ?? Taken(messages: [], isLast: false)
  }
}

/// How an answer goes back; called once.
typealias Reply<Answer> = @Sendable (Result<Answer, StoreFault>) -> Void

/// What the writer is asked to do.
enum Message: Sendable {
  case create(NewSession, Reply<Created>)
  case post([Command], session: String, matching: [Int]?, Reply<Posted>)
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

/// An effect of a session; never used twice.
struct EffectKey: Hashable, Sendable {
  var session: String
  var effect: Effect.ID
}
