// What keeps one session from taking the time and the memory of all: no action takes unbounded time.
extension Run {
  /// Nodes that a session may have at once.
  static let nodeLimit = 20_000
  /// Ids that a session may give out in its life: what a record has room for.
  static let idLimit = Int(Int32.max)
  /// Containers and modals inside each other: what reads JSON gives up at some depth, and each one is two levels of it.
  static let depthLimit = 100
  /// Timers, loads and token calls that may run at once.
  static let effectLimit = 10_000
  /// Gone screens that are listened to; the oldest is forgotten first.
  static let listenerLimit = 1_000
  /// Gone `screen` flows that are listened to: each is a node still; the oldest ends first.
  static let goneFlowLimit = 100

  /// Refuses a node too many, or one too deep inside.
  func checkRoom(below parent: NodeID?) throws(Refusal) {
    guard state.nodes.count < Run.nodeLimit, state.nextNode < Run.idLimit else {
      throw Refusal(.sessionTooLarge, "the session has \(Run.nodeLimit) nodes, which is the most; pop or dismiss some first")
    }
    var depth = 0
    var here = parent
    while let id = here {
      depth += 1
      guard let record = state.nodes.record(id) else { break }
      here = record.parentID
    }
    guard depth < Run.depthLimit else {
      throw Refusal(.sessionTooLarge, "containers and modals are \(Run.depthLimit) deep inside each other, which is the most")
    }
  }

  /// Refuses an effect too many.
  func checkEffects() throws(Refusal) {
    guard state.effects.count < Run.effectLimit else {
      throw Refusal(.sessionTooLarge, "\(Run.effectLimit) timers and loads are running, which is the most")
    }
  }
}

extension Value {
  /// At most 100,000 values of 1 MiB of text in all, 60 deep.
  var isWithinBounds: Bool {
    var room = 100_000
    var text = 1 << 20
    return fits(&room, &text, depth: 60)
  }

  private func fits(_ room: inout Int, _ text: inout Int, depth: Int) -> Bool {
    room -= 1
    guard room >= 0, depth > 0 else { return false }
    switch self {
    case .null, .bool, .integer, .number: return true
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
