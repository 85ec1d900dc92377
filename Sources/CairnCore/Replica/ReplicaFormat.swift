/// The input of a replica: states and differences in `StateFormat`, without the values that clients must not read.
///
/// It omits the values of hidden facts, the environment, the clients, held actions, OAuth states, and the ends of messages. Of effects, it
/// omits the requests, the zones and step params of timers, and the steps that loads and messages send at their end. If an app has hidden
/// facts, it also omits the offsets of time zones. If a value of a step that is stored in a node may come from a hidden fact, all values of
/// this step are omitted.
public enum ReplicaFormat {
  /// The version of the format. A replica accepts only this version.
  public static let version = StateFormat.version

  /// Encodes a complete state without the values that clients must not read.
  package static func state(_ state: State, by reducer: Reducer) throws(UnreadableFormat) -> [UInt8] {
    try difference(StateFormat.snapshot(state), by: reducer)
  }

  /// Converts a stored difference to a difference without the values that clients must not read. `reducer` belongs to the definition of the later
  /// state.
  package static func difference(_ stored: [UInt8], by reducer: Reducer) throws(UnreadableFormat) -> [UInt8] {
    try JSONElement.reading(stored) { element throws(UnreadableFormat) in
      var writer = JSONWriter()
      writer.beginObject()
      for (member, value) in try element.readMembers() { try write(member, value, by: reducer, &writer) }
      writer.endObject()
      // A stored text contains no number that JSON cannot represent.
      return (try? writer.bytes()) ?? []
    }
  }

  private static func write(
    _ member: JSONElement, _ value: JSONElement, by reducer: Reducer, _ writer: inout JSONWriter
  ) throws(UnreadableFormat) {
    switch member {
    case "v", "i", "I", "H", "M", "C": break
    // The name of a zone may be the value of a hidden fact.
    case "z" where !reducer.program.hiddenFacts.isEmpty: break
    case "f":
      writer.name("f")
      writer.beginObject()
      for (name, fact) in try value.readMembers() where !reducer.program.isHidden(try name.readString()) { copy(name, fact, &writer) }
      writer.endObject()
    case "d":
      writer.name("d")
      writer.beginArray()
      for name in try value.readElements() where !reducer.program.isHidden(try name.readString()) { copy(name, &writer) }
      writer.endArray()
    case "e":
      var effects: [Effect] = []
      try EffectFormat.readChanged(into: &effects, value)
      guard !effects.isEmpty else { break }
      writer.name("e")
      [Effect].write(effects.map { $0.withoutContent }, &writer)
    case "n":
      writer.name("n")
      writer.beginArray()
      for node in try value.readElements() { try write(node, by: reducer, &writer) }
      writer.endArray()
    default: copy(member, value, &writer)
    }
  }

  private static func write(_ node: JSONElement, by reducer: Reducer, _ writer: inout JSONWriter) throws(UnreadableFormat) {
    writer.beginObject()
    for (member, value) in try node.readMembers() {
      switch member {
      case "z": break
      case "x" where !value.isNull, "seen" where !value.isNull, "unseen" where !value.isNull:
        writer.key(member.decoded)
        StepTemplate.write(reducer.program.withholding(try StepTemplate(reading: value)), &writer)
      case "g" where !value.isNull:
        var leave = try Leave(reading: value)
        leave.ask = leave.ask.map { reducer.program.withholding($0) }
        writer.name("g")
        Leave.write(leave, &writer)
      case "Q" where !value.isNull:
        let receiver = try ResultReceiver(reading: value)
        writer.name("Q")
        ResultReceiver.write(
          ResultReceiver(
            node: receiver.node, then: receiver.then.map { reducer.program.withholding($0) },
            otherwise: receiver.otherwise.map { reducer.program.withholding($0) }), &writer)
      default: copy(member, value, &writer)
      }
    }
    writer.endObject()
  }

  /// Writes a member unchanged.
  private static func copy(_ name: JSONElement, _ value: JSONElement, _ writer: inout JSONWriter) {
    writer.key(name.decoded)
    copy(value, &writer)
  }

  /// Writes a value unchanged; its numbers keep their notation.
  private static func copy(_ element: JSONElement, _ writer: inout JSONWriter) {
    switch element.token.kind {
    case .object:
      writer.beginObject()
      for (name, value) in element.members { copy(name, value, &writer) }
      writer.endObject()
    case .array:
      writer.beginArray()
      for element in element.elements { copy(element, &writer) }
      writer.endArray()
    case .string: writer.string(element.decoded)
    case .number: writer.raw(element.bytes)
    case .yes: writer.bool(true)
    case .no: writer.bool(false)
    case .null: writer.null()
    }
  }
}

extension Program {
  fileprivate func isHidden(_ fact: String) -> Bool { hiddenFacts.contains(fact) }

  /// Replaces the values of a step that may reveal hidden facts by a reference that only the service can evaluate, so that the client neither reads
  /// nor predicts them. Returns any other step unchanged.
  fileprivate func withholding(_ step: StepTemplate) -> StepTemplate {
    guard hidesStepValues || step.hidesValues else { return step }
    return StepTemplate(step.step, with: step.with.mapValues { _ in .reference(.authorizeURL) }, to: step.to)
  }
}

extension Effect {
  /// The effect without its request, its value, the params of its step, and the steps that it sends at its end.
  fileprivate var withoutContent: Effect {
    var effect = self
    // A client runs only the timers that its own pending actions have started.
    (effect.zone, effect.timeOfDay) = (nil, 0)
    #if !CLIENT_ENGINE
      effect.received = nil
    #endif
    effect.work =
      switch work {
      case .timer(let name, let step, let delay, let period, let ticks):
        .timer(name: name, step: Step(step.step), delay: delay, period: period, ticks: ticks)
      case .value(_, let delay, _, _): .value(.null, delay: delay, then: nil, otherwise: nil)
      case .request(_, _, let delay, _, _, _): .request(url: "", bearer: false, delay: delay, then: nil, otherwise: nil)
      case .exchange(let grant): .exchange(grant)
      case .message(let message): .message(Message(key: message.key, node: message.node))
      }
    return effect
  }
}
