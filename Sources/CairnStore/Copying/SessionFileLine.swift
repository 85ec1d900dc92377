import CairnCore
import CairnJournal

/// A line of a session's file. Some kinds announce the lines that follow.
enum SessionFileLine {
  /// A definition by its hash. Its canonical text follows.
  case definition(String)
  /// The first state of a history whose earlier entries were forgotten. The state follows.
  case beginning(revision: Int, time: Int, definition: String, format: Int)
  /// An entry. Its cause and its difference follow.
  case entry(revision: Int, stamp: Stamp, engine: Int, format: Int, definition: String?, request: String?)
  /// A secret, encrypted for a key.
  case secret(SecretSlot, box: [UInt8])
  /// The newest state, which follows.
  case state(revision: Int, format: Int)

  /// The first line.
  struct Head {
    var file = "", session = "", app = ""
    var label: String?
    var format = 0, createdAt = 0, first = 0, last = 0

    init(_ line: JSONElement) throws(UnreadableFormat) {
      for (member, value) in try line.readMembers() {
        switch member {
        case "cairn": break
        case "format": format = try value.readCount()
        case "file": file = try value.readString()
        case "session": session = try value.readString()
        case "app": app = try value.readString()
        case "label": label = try value.readString()
        case "createdAt": createdAt = try value.readTime()
        case "first": first = try value.readCount()
        case "last": last = try value.readCount()
        default: if format == SessionFile.version { throw member.unknown }
        }
      }
    }
  }

  init(_ line: JSONElement) throws(UnreadableFormat) {
    if let revision = line["beginning"] {
      self = .beginning(
        revision: try revision.readCount(), time: try Self.time(of: line),
        definition: try line["definition"]?.readString() ?? "", format: try Self.count("format", of: line))
    } else if let hash = line["definition"], line["entry"] == nil {
      self = .definition(try hash.readString())
    } else if let revision = line["entry"] {
      self = .entry(
        revision: try revision.readCount(),
        stamp: Stamp(time: try Self.time(of: line), nonce: try line["nonce"]?.readString() ?? ""),
        engine: try Self.count("engine", of: line), format: try Self.count("format", of: line),
        definition: try line["definition"]?.readString(), request: try line["request"]?.readString())
    } else if let number = line["secret"] {
      guard let box = try line["box"]?.readString() else { throw line.fault("not a secret") }
      self = .secret(SecretSlot(number: try number.readInteger(within: State.highestNumber)), box: Self.bytes(box))
    } else if let revision = line["state"] {
      self = .state(revision: try revision.readCount(), format: try Self.count("format", of: line))
    } else {
      throw line.fault("an unknown kind of line")
    }
  }

  private static func count(_ name: StaticString, of line: JSONElement) throws(UnreadableFormat) -> Int {
    guard let value = line[name] else { throw line.missing(name) }
    return try value.readCount()
  }

  private static func time(of line: JSONElement) throws(UnreadableFormat) -> Int {
    guard let value = line["at"] else { throw line.missing("at") }
    return try value.readTime()
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
