import CairnCore

/// JSON appended to bytes, for the disk. Who writes an object or an array closes it.
struct DiskWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the next member or element is the first of its object or array.
  private var isFirst = true

  init() { bytes.reserveCapacity(256) }

  /// `{` or `[`.
  mutating func open(_ bracket: Unicode.Scalar) {
    append(bracket)
    isFirst = true
  }

  /// `}` or `]`.
  mutating func close(_ bracket: Unicode.Scalar) {
    append(bracket)
    isFirst = false
  }

  /// A member's name; a value has to follow. Names of the format itself need no escape.
  mutating func name(_ name: StaticString) {
    separate()
    append("\"")
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    append("\"")
    append(":")
  }

  /// A member whose name is data.
  mutating func name(_ name: String) {
    separate()
    text(name)
    append(":")
  }

  /// Comes before each element of an array.
  mutating func separate() {
    if !isFirst { append(",") }
    isFirst = false
  }

  mutating func null() { bytes.append(contentsOf: "null".utf8) }

  mutating func write(_ value: Bool) { bytes.append(contentsOf: value ? "true".utf8 : "false".utf8) }

  mutating func write(_ value: Int) {
    if value < 0 { append("-") }
    var magnitude = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: 48 + magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    bytes[start...].reverse()
  }

  /// Infinity as a number that is too large, as which it is read again; what is no number as null.
  mutating func write(_ value: Double) {
    if value.isFinite {
      bytes.append(contentsOf: value.description.utf8)
    } else if value.isNaN {
      null()
    } else {
      bytes.append(contentsOf: (value < 0 ? "-1e999" : "1e999").utf8)
    }
  }

  mutating func write(_ value: String) { text(value) }

  mutating func write(_ value: NodeID) { write(value.number) }

  mutating func write(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let value): write(value)
    case .integer(let value): write(value)
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .array(let elements):
      open("[")
      for element in elements {
        separate()
        write(element)
      }
      close("]")
    case .object(let members): write(members)
    }
  }

  mutating func write(_ members: [String: Value]) {
    open("{")
    for (key, value) in members {
      name(key)
      write(value)
    }
    close("}")
  }

  /// One of the structural characters and the quote: all are ASCII.
  private mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(truncatingIfNeeded: character.value)) }

  private mutating func text(_ text: String) {
    append("\"")
    var text = text
    text.withUTF8 { utf8 in
      var rest = utf8[...]
      while let place = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
        bytes.append(contentsOf: rest[..<place])
        escape(utf8[place])
        rest = rest[(place + 1)...]
      }
      bytes.append(contentsOf: rest)
    }
    append("\"")
  }

  private mutating func escape(_ byte: UInt8) {
    let digits = Array("0123456789abcdef".utf8)
    if byte >= 0x20 {
      bytes += [0x5C, byte]
    } else {
      bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
