/// The parameters of a statement in PostgreSQL's binary format. Each `add` returns the placeholder of the parameter for the statement, such as `$1`.
struct Parameters {
  /// The values, one after another.
  private(set) var bytes: [UInt8] = []
  /// The range of each value in `bytes`; `nil` for NULL.
  private(set) var ranges: [Range<Int>?] = []

  /// The types of array elements, by their OIDs, which are the same in all versions.
  private enum Element: UInt32 {
    case bytea = 17
    case bigint = 20
    case text = 25
  }

  mutating func add(_ value: Int?) -> String {
    guard let value else { return addNull() }
    return place { $0.append(integer: Int64(value)) }
  }

  mutating func add(_ value: String?) -> String {
    guard let value else { return addNull() }
    return place { $0.bytes += value.utf8 }
  }

  mutating func add(_ value: [UInt8]) -> String { place { $0.bytes += value } }

  /// Adds a parameter of the type `bigint[]`.
  mutating func add(_ values: [Int?]) -> String {
    array(of: .bigint, values) { $0.append(integer: Int64($1)) }
  }

  /// Adds a parameter of the type `text[]`.
  mutating func add(_ values: [String?]) -> String {
    array(of: .text, values) { $0.bytes += $1.utf8 }
  }

  /// Adds a parameter of the type `bytea[]`.
  mutating func add(_ values: [[UInt8]?]) -> String {
    array(of: .bytea, values) { $0.bytes += $1 }
  }

  private mutating func array<Value>(of element: Element, _ values: [Value?], _ append: (inout Parameters, Value) -> Void) -> String {
    place { parameters in
      // The header: the number of dimensions, whether there are NULLs, the type of the elements, and the length and the lower bound of the only dimension.
      parameters.append(integer: Int32(1))
      parameters.append(integer: Int32(values.contains { $0 == nil } ? 1 : 0))
      parameters.append(integer: element.rawValue)
      parameters.append(integer: Int32(values.count))
      parameters.append(integer: Int32(1))
      for value in values {
        let length = parameters.bytes.count
        parameters.append(integer: Int32(-1))
        guard let value else { continue }
        append(&parameters, value)
        parameters.write(Int32(parameters.bytes.count - length - 4), at: length)
      }
    }
  }

  private mutating func addNull() -> String {
    ranges.append(nil)
    return "$\(ranges.count)"
  }

  private mutating func place(_ append: (inout Parameters) -> Void) -> String {
    let start = bytes.count
    append(&self)
    ranges.append(start..<bytes.count)
    return "$\(ranges.count)"
  }

  private mutating func append(integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
  }

  private mutating func write(_ integer: Int32, at place: Int) {
    withUnsafeBytes(of: integer.bigEndian) { source in
      for (index, byte) in source.enumerated() { bytes[place + index] = byte }
    }
  }
}
