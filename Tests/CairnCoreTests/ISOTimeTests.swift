import CairnCore
import Testing

@Suite struct `Moments as texts` {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
    ("2026-03-01T12:00:00Z", 1_772_366_400_000),
    ("2026-03-01T12:00Z", 1_772_366_400_000), ("2026-03-01T13:00:00+01:00", 1_772_366_400_000),
    ("2026-02-28T23:30:00-12:30", 1_772_366_400_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2026-03-01T12:00:00.1234567Z", 1_772_366_400_123),
  ]) func `are read`(text: String, milliseconds: WideInt) { #expect(ISOTime.milliseconds(text) == milliseconds) }

  @Test(arguments: [
    "", "tomorrow", "2026-03-01", "2026-03-01T12:00:00", "2026-03-01 12:00:00Z", "2026-3-01T12:00:00Z", "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "0000-01-01T00:00:00Z", "+2026-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-01-01t00:00:00z", "٢٠٢٦-01-01T00:00:00Z",
  ]) func `are refused`(text: String) { #expect(ISOTime.milliseconds(text) == nil) }

  /// Each day of 800 years follows the day before.
  @Test func `days follow each other`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func digits(_ number: Int, _ count: Int) -> String { String(("0000" + String(number)).suffix(count)) }
    var last = ISOTime.milliseconds("1599-12-31T00:00:00Z")
    for year in 1_600..<2_400 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in lengths.enumerated() {
        let length = month == 1 && isLeap ? 29 : length
        for day in 1...(length + 1) {
          let time = ISOTime.milliseconds("\(digits(year, 4))-\(digits(month + 1, 2))-\(digits(day, 2))T00:00:00Z")
          guard day <= length else {
            if time != nil { Issue.record("\(year)-\(month + 1)-\(day) was accepted") }
            continue
          }
          if time != last.map({ $0 + 86_400_000 }) { Issue.record("\(year)-\(month + 1)-\(day)") }
          last = time
        }
      }
    }
  }
}
