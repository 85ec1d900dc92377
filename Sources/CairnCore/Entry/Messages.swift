/// Starts and ends messages, which belong to the session.
enum Messages {
  /// Performs the operation `submit`. A key identifies one message: a later call receives the result of the first one. Throws
  /// `value-mismatch` for an invalid key, `key-reused` for a key with another URL or body, and `too-many-messages` at a limit. A client
  /// knows neither the requests of messages nor the keys of ended ones. So it assumes that the call starts a message, and predicts the rest
  /// of the handler.
  static func submit(_ run: inout Run, _ submission: Submission, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    if run.program.withheld != nil {
      run.state.effectBook.skipNumber()
      return nil
    }
    #if CLIENT_ENGINE
      return nil
    #else
      return try call(&run, submission, in: context)
    #endif
  }
}

#if !CLIENT_ENGINE
  extension Messages {
    private static func call(
      _ run: inout Run, _ submission: Submission, in context: borrowing InstructionContext
    ) throws(Refusal) -> NoChange? {
      let scope = context.scope
      guard let key = run.value(of: submission.key, in: scope)?.word, !key.isEmpty, key.utf8.count <= Message.longestKey else {
        throw Refusal(.valueMismatch, "the key of a message must be a text, number or boolean of 1 to 200 bytes")
      }
      var message = Message(key: key, node: scope.emitter?.id)
      message.flows = flows(run, from: context.flow)
      message.then = run.evaluator.partial(submission.then, in: scope, run.state)
      message.otherwise = run.evaluator.partial(submission.otherwise, in: scope, run.state)
      try address(&run, &message, submission.request, in: scope)
      if let running = run.state.effects.first(where: { $0.message?.key.isExactly(key) ?? false }), var newest = running.message {
        try check(key, newest.digest, message.digest)
        if newest.isHeld {
          message.header = newest.header
          run.state.effectBook.end(running.id)
          return try start(&run, message)
        }
        (newest.node, newest.flows, newest.then, newest.otherwise) = (message.node, message.flows, message.then, message.otherwise)
        guard running.work != .message(newest) else { return .alreadySent }
        run.state.effectBook.change(running.id) { $0.work = .message(newest) }
        return nil
      }
      if let known = run.state.messageBook[key] {
        try check(key, known.digest, message.digest)
        if known.isDone { return answer(&run, message, known) }
        message.header = known.header
      }
      try checkRoom(run, for: message)
      return try start(&run, message)
    }

    /// Performs the action `retry`. A message of an imported session is sent like a new one, but keeps its idempotency header, and uses the
    /// token that the session has now. A message in progress is attempted at once, and its timeout and its retries begin again. Throws
    /// `message-gone` if no message with the key is left, and `token-missing` if the message sends a token and the session has none.
    static func retry(_ run: inout Run, _ key: String) throws(Refusal) -> NoChange? {
      guard let effect = run.state.effects.first(where: { $0.message?.key.isExactly(key) ?? false }), var message = effect.message else {
        throw gone(run, key)
      }
      guard message.isHeld else {
        let now = run.stamp.time
        guard !effect.isIdle, effect.start != now else { return .alreadySent }
        run.state.effectBook.change(effect.id) { $0.start = now }
        return nil
      }
      message.hasToken = run.state.facts[FactDefinition.accessToken] != nil
      guard message.hasToken || !message.bearer else {
        throw Refusal(.tokenMissing, "the message \(key) sends an access token, and the session has none; post a token first")
      }
      message.isHeld = false
      // The message gets a new number, under which the store keeps a copy of the token.
      run.state.effectBook.end(effect.id)
      return try start(&run, message)
    }

    private static func gone(_ run: borrowing Run, _ key: String) -> Refusal {
      guard let ended = run.state.messageBook[key] else {
        return Refusal(.messageGone, "the session has no message with the key \(key); `pending` lists the messages that have not ended")
      }
      return Refusal(
        .messageGone,
        ended.isDone
          ? "the message \(key) has ended with a response"
          : "the message \(key) has ended without a response; the next step that calls with its key sends it again")
    }

    /// Starts a message. The message waits while another message is in progress.
    private static func start(_ run: inout Run, _ message: Message) throws(Refusal) -> NoChange? {
      let isUnderWay = run.state.effects.contains { $0.isMessage && !$0.isIdle }
      try Effects.start(&run, .message(message), owner: nil, EffectTerms(isIdle: isUnderWay))
      run.report.note(Event(.messageStarted, node: message.node, key: message.key))
      return nil
    }

    /// A flow and its parent flows, the innermost first, without the root flow.
    private static func flows(_ run: borrowing Run, from flow: NodeID) -> [NodeID] {
      var flows: [NodeID] = []
      var next: NodeID? = flow
      while let flow = next, flow != run.state.root {
        flows.append(flow)
        next = Flows.parent(run, of: flow)
      }
      return flows
    }

    /// Evaluates the request of a message and stores it in the message. Each message also stores its own idempotency header, derived from the nonce, so that a
    /// copy of the session in another database sends the message with the same header.
    private static func address(
      _ run: inout Run, _ message: inout Message, _ request: LoadRequest, in scope: Scope
    ) throws(Refusal) {
      message.url = try run.url(of: request.url, in: scope)?.word ?? ""
      message.terms = try Effects.terms(&run, of: request, in: scope) ?? CallTerms(method: request.method)
      message.bearer = request.bearer
      message.hasToken = run.state.facts[FactDefinition.accessToken] != nil
      message.header = "\(run.stamp.nonce)/\(run.state.nextEffect)"
      // A client's definition contains no requests, so only the service computes the digest.
      if !message.url.isEmpty { message.digest = MessageDigest(of: message.url, message.terms.body).text }
    }

    private static func check(_ key: String, _ known: String, _ new: String) throws(Refusal) {
      guard known != new, !known.isEmpty, !new.isEmpty else { return }
      throw Refusal(.keyReused, "the session already has a message with the key \(key) and another URL or body")
    }

    private static func checkRoom(_ run: borrowing Run, for message: Message) throws(Refusal) {
      let messages = run.state.effects.compactMap { $0.message }
      guard messages.count < Message.most, messages.reduce(message.size, { $0 + $1.size }) <= Message.mostBytes else {
        throw Refusal(
          .tooManyMessages,
          "the session has \(messages.count) messages that have not ended; the maximum is \(Message.most) messages and \(Message.mostBytes) bytes"
        )
      }
    }

    /// Sends the stored result of an ended message to the node that has called `submit` again. Returns `message-known` if no result is
    /// stored.
    private static func answer(_ run: inout Run, _ message: Message, _ known: EndedMessage) -> NoChange? {
      guard let result = known.result else {
        run.report.note(Event(.messageKnown, node: message.node, key: message.key))
        return .messageKnown
      }
      deliver(&run, message, result)
      return nil
    }

    /// Applies the end of a message, and begins the next message. Throws `effect-gone` if a message cannot end with this kind of result.
    static func end(_ run: inout Run, _ effect: Effect, _ message: Message, _ completion: Action.Completion) throws(Refusal) {
      switch completion {
      case .loaded(let value):
        run.state.effectBook.end(effect.id)
        // A result that is too large for the book is delivered only once.
        let isKept = value.isWithinBounds && value.size <= MessageBook.mostBytes
        run.state.messageBook.note(EndedMessage(message, id: effect.id, isDone: true, result: isKept ? value : nil))
        run.report.note(Event(.messageFinished, node: message.node, key: message.key))
        if value.isWithinBounds {
          deliver(&run, message, value)
        } else {
          deliver(&run, message, failure: "malformed: the response is too large")
        }
      case .failed(let reason), .abandoned(let reason):
        run.state.effectBook.end(effect.id)
        if CallFailure(reason).isRefusal {
          run.state.messageBook.forget(message.key)
        } else {
          run.state.messageBook.note(EndedMessage(message, id: effect.id, isDone: false))
        }
        run.report.note(Event(.messageFailed, node: message.node, reason: reason, key: message.key))
        // An end is abandoned because the consequences of its step have exceeded a bound, so the step is not sent again.
        if case .failed = completion { deliver(&run, message, failure: reason) }
      case .due, .exchanged, .tokenExpired: throw Refusal(.effectGone, "the effect \(effect.id) cannot end with this kind of result")
      }
      beginNext(&run)
    }

    /// Begins the oldest message that waits, unless a message is in progress.
    private static func beginNext(_ run: inout Run) {
      guard !run.state.effects.contains(where: { $0.isMessage && !$0.isIdle }),
        let next = run.state.effects.first(where: { $0.message?.isHeld == false })
      else { return }
      let time = run.stamp.time
      run.state.effectBook.change(next.id) {
        $0.start = time
        $0.isIdle = false
      }
    }

    private static func deliver(_ run: inout Run, _ message: Message, _ result: Value) {
      guard let then = message.then else { return }
      do {
        try send(&run, then, of: message) { $0.result = result }
      } catch {
        deliver(&run, message, failure: "malformed: \(error.detail)")
      }
    }

    private static func deliver(_ run: inout Run, _ message: Message, failure reason: String) {
      guard let otherwise = message.otherwise else { return }
      do {
        try send(&run, otherwise, of: message) { $0.failure = CallFailure(reason) }
      } catch {
        run.drop(Step(otherwise.step), error.code.rawValue)
      }
    }

    /// Sends a step to the flow of the node that has called `submit`. If this flow has ended, the nearest parent flow that has not ended
    /// receives the step. The root flow never ends.
    private static func send(
      _ run: inout Run, _ template: StepTemplate, of message: Message, _ furnish: (inout Scope) -> Void
    ) throws(Refusal) {
      let emitter = message.node.flatMap { run.state.stands($0) ? Emitter(of: $0, in: run.state) : nil }
      let flows = [emitter?.record.handlingFlow].compactMap { $0 } + message.flows
      let flow = flows.first { run.state.isAlive(flow: $0) } ?? run.state.root
      var scope = Scope(emitter: emitter)
      furnish(&scope)
      try Sending.send(
        &run, run.program.compile(template), as: .toParent, by: flow, emitter: emitter, otherwise: flow, scope: scope)
    }
  }

  /// A digest of a request's URL and body. It is the same in all processes. Only the client that chooses the request could benefit from a
  /// collision.
  private struct MessageDigest {
    private var high: UInt64 = 0xcbf2_9ce4_8422_2325
    private var low: UInt64 = 0x6c62_272e_07bb_0142

    init(of url: String, _ body: Value?) {
      add(url.utf8)
      if let body { add(body) }
    }

    var text: String {
      Hexadecimal.text(of: [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } })
    }

    /// Adds a text, preceded by its length, so that the boundaries between texts count.
    private mutating func add(_ text: String.UTF8View) {
      add(UInt64(text.count))
      for byte in text { add(byte) }
    }

    private mutating func add(_ number: UInt64) { for place in 0..<8 { add(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) } }

    /// FNV-1a with two different primes.
    private mutating func add(_ byte: UInt8) {
      high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_0233
    }

    private mutating func add(_ value: Value) {
      switch value {
      case .null: add(0 as UInt8)
      case .bool(let flag): add(flag ? 1 : 2 as UInt8)
      case .integer(let number):
        add(3 as UInt8)
        add(UInt64(bitPattern: Int64(number)))
      case .number(let number):
        add(4 as UInt8)
        add(number.bitPattern)
      case .string(let text):
        add(5 as UInt8)
        add(text.utf8)
      case .array(let elements):
        add(6 as UInt8)
        add(UInt64(elements.count))
        for element in elements { add(element) }
      case .object(let members):
        add(7 as UInt8)
        add(UInt64(members.count))
        for (name, member) in members.sortedByKey {
          add(name.utf8)
          add(member)
        }
      // The text of a secret is not known here.
      case .sealed: add(8 as UInt8)
      }
    }
  }
#endif
