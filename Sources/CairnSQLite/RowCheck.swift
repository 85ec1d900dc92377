import CairnStore
import GRDB

/// The check value of a row: a keyed hash of its table's name and its other columns, in the order of the schema.
struct RowCheck: Sendable {
  /// The value of a column.
  enum Value {
    case integer(Int?)
    case text(String?)
    case blob([UInt8])
  }

  private let key: SipHash.Key

  init(_ key: SipHash.Key) { self.key = key }

  /// The hash of a row before its first column.
  func hash(_ table: String) -> SipHash {
    var hash = SipHash(key)
    hash.combine(table)
    return hash
  }

  /// The content of a row's column `check`.
  func value(_ table: String, _ columns: Value...) -> Int {
    var hash = hash(table)
    for column in columns {
      switch column {
      case .integer(let number): hash.combine(number)
      case .text(let text): hash.combine(text)
      case .blob(let bytes): hash.combine(field: bytes)
      }
    }
    return hash.finish().column
  }
}

extension UInt64 {
  /// How SQLite keeps it: a signed integer with the same bits.
  var column: Int { Int(truncatingIfNeeded: Int64(bitPattern: self)) }

  /// From such a column.
  init(column: Int) { self = UInt64(bitPattern: Int64(column)) }
}
