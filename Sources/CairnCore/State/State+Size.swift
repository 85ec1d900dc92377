// Estimates the size of the written form in bytes. The estimates measure the growth of a state.
extension State {
  /// The estimated size in bytes of a node, effect, fact or listener without its contents.
  static let itemSize = 64

  /// The approximate size of the state in bytes. Takes time proportional to the size.
  var size: Int {
    #if CLIENT_ENGINE
      // An engine in a client has no meter that reads sizes.
      return 0
    #else
      var bytes = State.itemSize * (nodes.count + effects.count + listeners.count + facts.count + sightings.count)
      for record in nodes.records { bytes += nodes.storedDetails(of: record)?.size ?? 0 }
      for effect in effects { bytes += effect.work.size }
      bytes += facts.size
      for link in pendingLinks { bytes += State.itemSize + link.url.utf8.count }
      for held in heldActions { bytes += held.size }
      if let question { bytes += State.itemSize + question.aim.size }
      return environment.reduce(bytes) { $0 + State.itemSize + $1.key.utf8.count + $1.value.utf8.count }
    #endif
  }
}

extension Value {
  /// The approximate size in bytes.
  var size: Int {
    #if CLIENT_ENGINE
      return 0
    #else
      switch self {
      case .null, .bool, .integer, .number, .sealed: return 8
      case .string(let text): return 8 + text.utf8.count
      case .array(let elements): return elements.reduce(8) { $0 + $1.size }
      case .object(let members): return 8 + members.size
      }
    #endif
  }

  /// Whether the value has at most 100,000 values, 1 MiB of text and 60 levels.
  var isWithinBounds: Bool {
    var room = 100_000
    var text = 1 << 20
    return fits(&room, &text, depth: 60)
  }

  private func fits(_ room: inout Int, _ text: inout Int, depth: Int) -> Bool {
    room -= 1
    guard room >= 0, depth > 0 else { return false }
    switch self {
    case .null, .bool, .integer, .number, .sealed: return true
    case .string(let string):
      text -= string.utf8.count
      return text >= 0
    case .array(let elements): return elements.allSatisfy { $0.fits(&room, &text, depth: depth - 1) }
    case .object(let members):
      return members.allSatisfy { name, member in
        text -= name.utf8.count
        return text >= 0 && member.fits(&room, &text, depth: depth - 1)
      }
    }
  }
}

extension [String: Value] {
  /// The approximate size of the members in bytes.
  var size: Int {
    #if CLIENT_ENGINE
      return 0
    #else
      return reduce(0) { $0 + 8 + $1.key.utf8.count + $1.value.size }
    #endif
  }
}

extension NodeDetails {
  /// The approximate size in bytes.
  var size: Int {
    let terms = terms
    return params.size + facts.size + (content?.size ?? 0) + terms.size + (terms.authorization?.utf8.count ?? 0)
  }
}

extension NodeTerms {
  /// The approximate size in bytes, without the OAuth state.
  var size: Int { steps.all.reduce((leave?.ask?.size ?? 0) + (resultReceiver?.size ?? 0)) { $0 + $1.size } }
}

extension Question.Aim {
  /// The approximate size in bytes.
  var size: Int {
    switch self {
    case .open(_, let url): url.utf8.count
    case .send(_, let step): step.size
    case .handle(let step, _, _): step.params.size
    case .keep, .remove, .select, .exit: 0
    }
  }
}

extension Content {
  /// The approximate size in bytes.
  var size: Int { (value?.size ?? 0) + (error?.utf8.count ?? 0) }
}

extension Effect.Work {
  /// The approximate size of the work in bytes, without the effect that contains it.
  var size: Int {
    switch self {
    case .timer(_, let step, _, _, _): step.params.size
    case .value(let value, _, let then, let otherwise): value.size + (then?.size ?? 0) + (otherwise?.size ?? 0)
    case .request(let url, _, _, let then, let otherwise, let terms):
      url.utf8.count + (then?.size ?? 0) + (otherwise?.size ?? 0) + (terms?.size ?? 0)
    case .exchange: 0
    // Messages have a bound of their own (`Message.mostBytes`).
    case .message: 0
    }
  }
}

extension StepTemplate {
  /// The approximate size in bytes.
  var size: Int {
    #if CLIENT_ENGINE
      return 0
    #else
      return with.reduce(step.utf8.count + (to?.rawValue.utf8.count ?? 0)) { $0 + 8 + $1.key.utf8.count + $1.value.size }
    #endif
  }
}

extension Expression {
  /// The approximate size in bytes. Only literals are measured, because everything else has a fixed size.
  fileprivate var size: Int {
    switch self {
    case .literal(let value): value.size
    case .reference, .template: 16
    case .array(let elements), .calculation(_, let elements): elements.reduce(8) { $0 + $1.size }
    case .object(let members): members.reduce(8) { $0 + 8 + $1.key.utf8.count + $1.value.size }
    }
  }
}
