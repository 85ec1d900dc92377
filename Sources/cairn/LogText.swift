import CairnAPI
import CairnRuntime
import CairnServer
import Logging

/// Lines in logfmt, put together as bytes.
struct LogText {
  private(set) var bytes: [UInt8] = []
  private var second = Int.min
  private var secondText: [UInt8] = []

  /// Adds a line that is formatted already, and its end.
  mutating func add(_ line: String) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds the line of a request.
  mutating func add(_ record: RequestRecord) {
    add(time: record.time)
    put(" level=")
    put(record.level.rawValue)
    put(record.operatorName == nil ? " message=request" : " message=audit")
    if !record.address.isEmpty {
      put(" address=")
      put(LogfmtHandler.quoted(record.address))
    }
    put(" method=")
    put(record.method.rawValue)
    put(" ms=")
    add(milliseconds: record.nanoseconds)
    put(" request=")
    put(LogfmtHandler.quoted(record.requestID))
    if let result = record.result {
      put(" result=")
      put(LogfmtHandler.quoted(result))
    }
    if let revision = record.revision {
      put(" revision=")
      add(number: revision)
    }
    if let role = record.role {
      put(" role=")
      put(role)
    }
    put(" route=")
    put(record.routeLabel)
    if let session = record.session {
      put(" session=")
      put(session)
    }
    put(" status=")
    add(number: record.status)
    if let trace = record.traceID {
      put(" trace=")
      put(trace)
    }
    if let name = record.operatorName {
      put(" who=")
      put(LogfmtHandler.quoted(name))
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds the line that says how many others are missing.
  mutating func add(dropped: Int) {
    add(time: Int(WallClock.now()))
    put(" level=warning message=\"log lines were dropped\" count=")
    add(number: dropped)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Begins anew, in the same memory.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  private mutating func put(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// `time=` with milliseconds; all but these is made once a second.
  private mutating func add(time: Int) {
    if time / 1_000 != second {
      second = time / 1_000
      secondText = Array("time=\(Timestamp.text(second * 1_000).dropLast(4))".utf8)
    }
    bytes.append(contentsOf: secondText)
    for unit in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(time / unit % 10)) }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// A duration in milliseconds: thousandths without zeros at their end, of which one stays.
  static func milliseconds(_ nanoseconds: UInt64) -> String {
    var text = LogText()
    text.add(milliseconds: nanoseconds)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private mutating func add(milliseconds nanoseconds: UInt64) {
    add(number: Int(nanoseconds / 1_000_000))
    bytes.append(UInt8(ascii: "."))
    var rest = Int(nanoseconds / 1_000 % 1_000)
    var unit = 100
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    } while rest > 0
  }

  private mutating func add(number: Int) {
    if number >= 10 { add(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
