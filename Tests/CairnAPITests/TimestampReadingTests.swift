import CairnAPI
import Testing

@Suite struct `Parsing of times` {
  @Test(arguments: [
    ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
    ("2024-02-29", 1_709_164_800_000), ("2000-02-29", 951_782_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.29Z", 290), ("1970-01-01T00:00:00.0009Z", 0),
    ("1970-01-01T00:00:00.999999999Z", 999),
    ("2100-02-28T12:34:56Z", 4_107_501_296_000),
  ]) func `a date or a time in UTC is parsed`(text: String, milliseconds: Int) {
    #expect(Timestamp(text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "T", "now", "1969-12-31", "10000-01-01", "2023-02-29", "2100-02-29", "2024-00-10", "2024-13-01", "2024-01-00", "2024-04-31",
    "2024-1-1",
    "2024-01-01T", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890Z", "2024-01-01T00:00:00.1.2Z", "2024-01-01T00:00:00+00:00",
    "2024-01-01 00:00:00Z", "2024-01-01t00:00:00z", "+024-01-01", "2024-+1-01", "２０２４-01-01", "2024-01-01T0:00:00Z", " 2024-01-01",
    "2024-01-01Z",
    "2024-01-01T00:00:00.-1Z", "2024-01-01-01",
  ]) func `a malformed time is rejected`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `every integer is written as a time`() {
    #expect(Timestamp.text(.min) == "-292275055-05-16T16:47:04.192Z" && Timestamp.text(.max) == "292278994-08-17T07:12:55.807Z")
    #expect(Timestamp.text(-1) == "1969-12-31T23:59:59.999Z")
  }

  @Test func `a written time is parsed to the same time, on every day of a leap cycle`() {
    for day in 0..<(400 * 366) where day % 3 == 0 {
      let time = day * 86_400_000 + day % 86_400_000
      #expect(Timestamp(Timestamp.text(time))?.milliseconds == time)
    }
  }
}
