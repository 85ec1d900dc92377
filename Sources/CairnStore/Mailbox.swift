import CairnRuntime

/// Where commands wait for the writer. Commands from outside are bounded; what comes back from effects is not.
final class Mailbox: Sendable {
  private struct Contents {
    var messages: [Message] = []
    var external = 0
    var isOpen = false
    var isNudged = false
    /// The writer waits, and has to be woken.
    var isAwaited = false
  }

  /// The messages that the writer took.
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

  /// Refuses later messages; the writer takes the existing ones, then ends.
  func close() { contents.change { $0.isOpen = false } }

  /// Puts a command in; the fault if it may not wait.
  func offer(_ message: Message) -> StoreFault? {
    let (fault, isAwaited) = contents.withLock { contents -> (StoreFault?, Bool) in
      guard contents.isOpen else { return (.stopping, false) }
      guard contents.external < limit else { return (.queueFull, false) }
      contents.external += 1
      contents.messages.append(message)
      defer { contents.isAwaited = false }
      return (nil, contents.isAwaited)
    }
    // While the writer commits it does not wait, so no thread has to be woken.
    if isAwaited { contents.wake() }
    return fault
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
