/// A report of the service to a client: a new entry, or the end of one of this client's actions without an entry.
public enum ServiceReport: Hashable, Sendable {
  /// The difference of an entry in `ReplicaFormat`. `number` is the number of this client's action if the entry belongs to one.
  case entry([UInt8], number: WideInt?)
  /// The number of an action that the service has refused, or that changed nothing in the service.
  case dropped(WideInt)

  /// Reads one report from each line. A line begins with the number of this client's action, or with 0 if the entry belongs to none. A
  /// space and the entry's difference follow. A line without a difference reports that the action had no entry.
  public static func reading(_ lines: [UInt8]) throws(UnreadableFormat) -> [ServiceReport] {
    var reports: [ServiceReport] = []
    var start = 0
    while start < lines.count {
      var (number, place): (WideInt, Int) = (0, start)
      while place < lines.count, place - start < 16, UInt8(ascii: "0")...UInt8(ascii: "9") ~= lines[place] {
        number = number * 10 + WideInt(lines[place] - UInt8(ascii: "0"))
        place += 1
      }
      var end = place
      while end < lines.count, lines[end] != UInt8(ascii: "\n") { end += 1 }
      guard place > start, place == end || lines[place] == UInt8(ascii: " ") else {
        throw UnreadableFormat(reason: "a report must begin with the number of an action, or with 0")
      }
      reports.append(place == end ? .dropped(number) : .entry(Array(lines[(place + 1)..<end]), number: number > 0 ? number : nil))
      start = end + 1
    }
    return reports
  }
}
