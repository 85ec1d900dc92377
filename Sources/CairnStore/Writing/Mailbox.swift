import CairnRuntime

/// The queue of messages to the writer. Commands from outside are limited in number; results of effects are not.
final class Mailbox: Sendable {
  private struct Contents {
    var messages: [Message] = []
    var external = 0
    var isOpen = false
    var isNudged = false
    /// Whether the writer is waiting and must be woken.
    var isAwaited = false
  }

  /// The messages for one batch.
  struct Taken {
    var messages: [Message]
    /// Whether no further messages will follow.
    var isLast: Bool
  }

  private let contents = Monitor(Contents())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The number of waiting commands from outside.
  var depth: Int { contents.withLock { $0.external } }

  /// Whether commands are accepted.
  var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Starts accepting commands.
  func open() { contents.withLock { $0.isOpen = true } }

  /// Rejects further messages. The writer processes the waiting ones and then ends.
  func close() { contents.change { $0.isOpen = false } }

  /// Queues a command. Returns a fault if the mailbox is closed or full.
  func offer(_ message: Message) -> StoreFault? {
    let (fault, isAwaited) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      guard contents.external < limit else { return (.queueFull, false) }
      contents.external += 1
      contents.messages.append(message)
      defer { contents.isAwaited = false }
      return (nil, contents.isAwaited)
    }
    // The writer only needs to be woken if it waits. During a commit it does not wait.
    if isAwaited { contents.wake() }
    return fault
  }

  /// Queues the end of an effect regardless of the limit. Ignored after `close`, because the effect runs again after a restart.
  func deliver(_ message: Message) {
    contents.change { contents in
      if contents.isOpen { contents.messages.append(message) }
    }
  }

  /// Wakes the writer to check its clock.
  func nudge() { contents.change { $0.isNudged = true } }

  /// Blocks until there are messages, the deadline (`Monotonic`) has passed, or the mailbox is closed. Returns at most `limit` messages.
  func take(until deadline: UInt64?, limit: Int) -> Taken {
    let taken: Taken? = contents.wait(until: deadline) { contents in
      guard !contents.messages.isEmpty || contents.isNudged || !contents.isOpen else {
        contents.isAwaited = true
        return nil
      }
      contents.isNudged = false
      contents.isAwaited = false
      var messages: [Message] = []
      if contents.messages.count <= limit {
        swap(&messages, &contents.messages)
      } else {
        messages = Array(contents.messages.prefix(limit))
        contents.messages.removeFirst(limit)
      }
      contents.external -= messages.count { $0.isExternal }
      return Taken(messages: messages, isLast: !contents.isOpen && contents.messages.isEmpty)
    }
    return taken ?? Taken(messages: [], isLast: false)
  }
}
