import CairnServer
import Logging

/// Writes one line into a preallocated buffer. An array would check its capacity for each of the about twenty parts of a line.
struct LogLine {
  private let room: UnsafeMutableRawBufferPointer
  /// The number of bytes written.
  private(set) var count = 0

  /// Creates a line in a buffer of at least `LogLine.room(for:)` bytes. Bytes that do not fit are omitted.
  init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  mutating func put(_ byte: UInt8) {
    guard count < room.count else { return }
    room[count] = byte
    count += 1
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, let target = room.baseAddress, bytes.count <= room.count - count else { return }
    (target + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func put(_ text: StaticString) { put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  mutating func put(_ text: String) {
    // Native strings are contiguous and are not copied. Other strings are read byte by byte.
    let isPut: Void? = text.utf8.withContiguousStorageIfAvailable { put(UnsafeRawBufferPointer($0)) }
    if isPut == nil { for byte in text.utf8 { put(byte) } }
  }

  /// Writes a value, in quotes if necessary.
  mutating func put(quoted text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard LogfmtHandler.isPlain(bytes) else { return false }
      put(UnsafeRawBufferPointer(bytes))
      return true
    }
    if isPlain != true { put(LogfmtHandler.quoted(text)) }
  }

  /// Writes a number from 0 to 999 with three digits.
  mutating func put(digits number: Int) {
    for unit in [100, 10, 1] { put(UInt8(ascii: "0") + UInt8(number / unit % 10)) }
  }

  mutating func put(number: Int) {
    if number >= 10 { put(number: number / 10) }
    put(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Writes a duration in milliseconds with one to three decimals. Trailing zeros are omitted after the first decimal.
  mutating func put(milliseconds nanoseconds: UInt64) {
    put(number: Int(nanoseconds / 1_000_000))
    put(UInt8(ascii: "."))
    var rest = Int(nanoseconds / 1_000 % 1_000)
    var unit = 100
    repeat {
      put(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    } while rest > 0
  }

  /// Writes the line of a request except its time.
  mutating func put(_ record: borrowing RequestRecord) {
    let isAudit = record.role == .operator
    switch record.level {
    case .info: put(" level=info message=request")
    case .notice: put(" level=notice message=audit")
    case let level:
      put(" level=")
      put(level.rawValue)
      put(isAudit ? " message=audit" : " message=request")
    }
    if !record.address.isEmpty {
      put(" address=")
      put(quoted: record.address)
    }
    put(" method=")
    put(record.method.label)
    put(" ms=")
    put(milliseconds: record.nanoseconds)
    put(" request=")
    put(quoted: record.requestID)
    if let result = record.result {
      put(" result=")
      put(quoted: result)
    }
    if let revision = record.revision {
      put(" revision=")
      put(number: revision)
    }
    switch record.role {
    case .session: put(" role=session")
    case .operator: put(" role=operator")
    case nil: break
    }
    put(" route=")
    put(record.routeLabel)
    if let session = record.session {
      put(" session=")
      put(session)
    }
    put(" status=")
    put(number: record.status)
    if let trace = record.traceID {
      put(" trace=")
      put(trace)
    }
    if isAudit, let name = record.operatorName {
      put(" who=")
      put(quoted: name)
    }
    put(UInt8(ascii: "\n"))
  }

  /// Returns a number of bytes that is sufficient for the line of a request: the size of the fixed words and numbers, and of each text with
  /// every byte escaped.
  static func room(for record: borrowing RequestRecord) -> Int {
    let texts =
      record.address.utf8.count + record.requestID.utf8.count + (record.result?.utf8.count ?? 0) + (record.session?.utf8.count ?? 0)
      + (record.traceID?.utf8.count ?? 0) + (record.operatorName?.utf8.count ?? 0)
    return 384 + 2 * texts
  }
}
