/// Computes the check value of a row: a keyed hash of the table's name and of all columns except the check value, in the order of the schema.
package struct RowCheck: Sendable {
  /// The value of a column.
  package enum Value {
    case integer(Int?)
    case text(String?)
    case blob([UInt8])
  }

  private let key: SipHash.Key

  package init(_ key: SipHash.Key) { self.key = key }

  /// The hash state before the first column of a row.
  package func hash(_ table: String) -> SipHash {
    var hash = SipHash(key)
    hash.combine(table)
    return hash
  }

  /// The value for a row's column `check`.
  package func value(_ table: String, _ columns: Value...) -> Int {
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
  /// The number as databases store it: a signed integer with the same bits.
  package var column: Int { Int(truncatingIfNeeded: Int64(bitPattern: self)) }

  /// Converts a stored column to the number with the same bits.
  package init(column: Int) { self = UInt64(bitPattern: Int64(column)) }
}
