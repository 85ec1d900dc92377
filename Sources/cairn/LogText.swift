import CairnAPI
import CairnRuntime
import CairnServer

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
    put(" level=\(record.level) message=request method=")
    put(record.method.rawValue)
    put(" ms=")
    put(Self.milliseconds(record.nanoseconds))
    add("request", record.requestID)
    if let result = record.result { add("result", result) }
    put(" route=")
    put(record.routeLabel)
    if let session = record.session { add("session", session) }
    put(" status=")
    add(number: record.status)
    if let trace = record.traceID { add("trace", trace) }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds the line that says how many others are missing.
  mutating func add(dropped: Int) {
    add(time: Int(WallClock.now()))
    put(" level=warning message=\"log lines were dropped\" count=")
    add(number: dropped)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// What is there, which is then gone.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(_ key: String, _ value: String) {
    put(" ")
    put(key)
    put("=")
    put(LogfmtHandler.quoted(value))
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
    var thousandths = Int(nanoseconds / 1_000 % 1_000)
    var digits = 3
    while digits > 1, thousandths % 10 == 0 {
      thousandths /= 10
      digits -= 1
    }
    let fraction = String(thousandths)
    return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: digits - fraction.utf8.count))\(fraction)"
  }

  private mutating func add(number: Int) {
    if number >= 10 { add(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
