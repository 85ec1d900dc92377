extension Timestamp {
  /// Parses `2024-02-29T23:59:59Z`, with or without a fraction of a second. Also parses a date without a time, which means the first moment
  /// of the day. Returns `nil` for another format, for a date or time that does not exist, and for years outside of 1970 to 9999.
  package init?(_ text: String) {
    let day = text.prefix { $0 != "T" }
    guard let days = Self.days(day) else { return nil }
    let rest = text.dropFirst(day.count)
    guard let time = rest.isEmpty ? 0 : Self.time(rest.dropFirst()) else { return nil }
    self.init(days * 86_400_000 + time)
  }

  /// Parses a date such as `2024-02-29` and returns the days since 1970-01-01; `nil` if the text is not a valid date.
  private static func days(_ text: Substring) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], 4), let month = number(parts[1], 2), let day = number(parts[2], 2),
      (1970...9999).contains(year), (1...12).contains(month)
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let leaps = before / 4 - before / 100 + before / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400)
    return (year - 1970) * 365 + leaps + lengths.prefix(month - 1).reduce(0, +) + day - 1
  }

  /// Parses a time such as `23:59:59.5Z` and returns the milliseconds since midnight; `nil` if the text is not a valid time.
  private static func time(_ text: Substring) -> Int? {
    guard text.last == "Z" else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let clock = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction = 0
    if parts.count == 2 {
      guard (1...9).contains(parts[1].utf8.count), let digits = number(parts[1], parts[1].utf8.count) else { return nil }
      fraction = Int(Double(digits) * 1_000 / (0..<parts[1].utf8.count).reduce(1.0) { ten, _ in ten * 10 })
    }
    return ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
  }

  /// Parses a number that consists of exactly `digits` ASCII digits; `nil` for any other text.
  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}
