import CPostgres

/// The rows of a statement, with columns in the binary format. The server's result is released with this object.
final class PostgresResult {
  private let result: OpaquePointer?

  init(_ result: OpaquePointer?) { self.result = result }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  /// The rows in order.
  var rows: [Row] { (0..<count).map { Row(result: self, number: Int32($0)) } }

  var first: Row? { count == 0 ? nil : Row(result: self, number: 0) }

  /// A row. Columns are counted from 0.
  struct Row {
    fileprivate let result: PostgresResult
    fileprivate let number: Int32

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result.result, number, column) == 1 }

    /// Returns the column's bytes; empty for NULL.
    func bytes(_ column: Int32) -> [UInt8] { Array(raw(column)) }

    func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns a column of the type `bigint`, `integer` or `smallint`; 0 for NULL.
    func integer(_ column: Int32) -> Int { Self.integer(raw(column)) }

    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    func bool(_ column: Int32) -> Bool { raw(column).first == 1 }

    /// Returns a column of the type `bigint[]` without NULLs; empty for NULL.
    func integers(_ column: Int32) -> [Int] { elements(column).map { Self.integer($0) } }

    /// Returns a column of the type `bytea[]` without NULLs; empty for NULL.
    func blobs(_ column: Int32) -> [[UInt8]] { elements(column).map { Array($0) } }

    /// Returns a column of the type `text[]` without NULLs; empty for NULL.
    func texts(_ column: Int32) -> [String] { elements(column).map { String(decoding: $0, as: UTF8.self) } }

    private func elements(_ column: Int32) -> [UnsafeRawBufferPointer.SubSequence] {
      let raw = raw(column)
      // The header: dimensions, whether there are NULLs, the type, and the length and the lower bound of the only dimension.
      guard raw.count >= 20 else { return [] }
      var elements: [UnsafeRawBufferPointer.SubSequence] = []
      var place = 20
      for _ in 0..<Self.integer(raw[12..<16]) {
        let length = Self.integer(raw[place..<place + 4])
        elements.append(raw[place + 4..<place + 4 + length])
        place += 4 + length
      }
      return elements
    }

    private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: PQgetvalue(result.result, number, column), count: Int(PQgetlength(result.result, number, column)))
    }

    private static func integer(_ bytes: some Sequence<UInt8>) -> Int {
      var (value, count): (UInt64, Int) = (0, 0)
      for byte in bytes {
        value = value << 8 | UInt64(byte)
        count += 1
      }
      return switch count {
      case 2: Int(Int16(truncatingIfNeeded: value))
      case 4: Int(Int32(truncatingIfNeeded: value))
      default: Int(Int64(bitPattern: value))
      }
    }
  }
}
