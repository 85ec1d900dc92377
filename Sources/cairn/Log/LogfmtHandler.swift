import CairnAPI
import CairnStore
import Logging

/// Formats log lines in logfmt: `time=… level=info message=request key=value`. Thread-safe.
struct LogfmtHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  private let queue: LogQueue

  /// Adds lines of `level` and more severe levels to `queue`.
  init(level: Logger.Level, queue: LogQueue) {
    logLevel = level
    self.queue = queue
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
    var line = "time=\(Timestamp.text(SystemClock().now())) level=\(event.level) message=\(Self.quoted(event.message.description))"
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.quoted(value.description))" }
    queue.add(line)
  }

  /// Returns a value, in quotes if necessary. Control characters are replaced: a line feed by `\n`, others by `?`.
  static func quoted(_ text: String) -> String {
    var whole = text
    guard !whole.withUTF8(isPlain) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += "?"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Whether a value needs no quotes.
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text {
      switch byte {
      case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"), 0x7F: return false
      default: continue
      }
    }
    return !text.isEmpty
  }
}
