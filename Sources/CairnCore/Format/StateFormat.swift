/// The stored form of states: JSON with short member names that do not depend on names in the code. A snapshot is stored as the difference from the
/// empty state, so both use the same writer and reader.
package enum StateFormat {
  /// The version of the format, stored with each snapshot. A new version requires a migration of the stored data.
  package static let version = 3

  /// The state before the first entry. Must never change, because stored differences are relative to it.
  package static var empty: State { State() }

  /// The stored form of a complete state.
  package static func snapshot(_ state: State) -> [UInt8] { difference(from: empty, to: state) }

  /// Reads a snapshot. `start` must be an empty state; its node table may contain the names of the session's definition.
  package static func state(_ bytes: [UInt8], version: Int, over start: State = empty) throws(UnreadableFormat) -> State {
    guard version == Self.version else {
      throw UnreadableFormat(reason: "format \(version) was written by \(version > Self.version ? "a newer" : "an earlier") version")
    }
    var state = start
    try apply(bytes, to: &state)
    return state
  }

  /// Applies a stored difference. The state must not be used after an error.
  package static func apply(_ bytes: [UInt8], to state: inout State) throws(UnreadableFormat) {
    try JSONElement.reading(bytes) { element throws(UnreadableFormat) in
      for (member, value) in try element.readMembers() { try read(member, of: &state, value) }
      guard state.hasFreeNumbers else { throw element.fault("a number for the next node, effect or link is already in use") }
    }
  }

  private static func read(_ member: JSONElement, of state: inout State, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "r": state.revision = try value.readCount()
    case "N": state.nextNode = try value.readNode().number
    case "o": state.root = try value.readNode()
    case "n": try NodeFormat.readChanged(into: &state.nodes, value)
    case "x": for id in try value.readNodes() { state.nodes[id] = nil }
    case "f":
      for (name, value) in try value.readMembers() { state.facts[try name.readString()] = value.stored }
    case "d": for name in try value.readElements() { state.facts[try name.readString()] = nil }
    case "e": try EffectFormat.readChanged(into: &state.effects, value)
    case "c":
      for element in try value.readElements() {
        let id = try element.readInteger()
        state.effects.removeAll { $0.id == id }
      }
    #if !CLIENT_ENGINE
      case "M": try MessageFormat.readChanged(into: &state.messageBook, value)
      case "i": state.clients = try clients(value)
      case "I": state.contacts = try [ClientContact](reading: value)
      case "H": state.heldActions = try [HeldAction](reading: value)
      case "C": for element in try value.readElements() { state.messageBook.remove(try element.readInteger()) }
    #endif
    case "E": state.nextEffect = try value.readNumber()
    case "l": state.listeners = try [Listener](reading: value)
    case "h": state.pendingLinks = try [PendingLink](reading: value)
    case "k": state.nextLink = try value.readNumber()
    case "q": state.questionBook.asked = value.isNull ? nil : try Question(reading: value)
    case "Q": state.questionBook.next = try value.readNumber()
    case "s": state.sightings = try [Sighting](reading: value)
    case "g": state.login = try Login(reading: value)
    case "u": state.refusedToken = try value.readOptionalCount()
    case "t": state.tokenWrites = try value.readCount()
    case "v": state.environment = try value.readTexts()
    case "mr": state.manualRequests = try value.readBool()
    case "a": state.leftForeground = try value.readOptionalTime()
    case "A": state.leftForegroundByClient = try value.readOptionalTime()
    case "z": state.zones = try [ZoneWindow](reading: value)
    case "m": state.manualTime = try value.readOptionalTime()
    default: throw member.unknown
    }
  }

  #if !CLIENT_ENGINE
    private static func clients(_ value: JSONElement) throws(UnreadableFormat) -> [Sender] {
      var clients: [Sender] = []
      for (client, number) in try value.readMembers() {
        clients.append(Sender(client: try client.readString(), number: try number.readNumber()))
      }
      return clients
    }
  #endif
}
