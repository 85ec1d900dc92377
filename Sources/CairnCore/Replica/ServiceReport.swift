/// A report of the service to a client: a new entry, or the end of one of this client's actions without an entry.
public enum ServiceReport: Hashable, Sendable {
  /// The difference of an entry in `ReplicaFormat`. `number` is the number of this client's action if the entry belongs to one.
  case entry([UInt8], number: WideInt?)
  /// An action that the service has refused, or that changed nothing there.
  case dropped(WideInt)

  /// Reads one report from each line: the number of this client's action, or 0 for another entry, and after a space the difference of the entry. A line
  /// without a difference reports that the action had no entry.
  public static func reading(_ lines: [UInt8]) throws(UnreadableFormat) -> [ServiceReport] {
    var reports: [ServiceReport] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let digits = line.prefix { $0 != UInt8(ascii: " ") }
      guard digits.count <= 16, let number = WideInt(String(decoding: digits, as: UTF8.self)), number >= 0 else {
        throw UnreadableFormat(reason: "a report must begin with the number of an action, or with 0")
      }
      let difference = line.dropFirst(digits.count + 1)
      reports.append(difference.isEmpty ? .dropped(number) : .entry(Array(difference), number: number > 0 ? number : nil))
    }
    return reports
  }
}
