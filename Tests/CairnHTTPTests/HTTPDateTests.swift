import CairnHTTP
import Testing

@Suite struct `HTTP dates` {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `a date has two digits for the day and four for the year`(seconds: Int, text: String) { #expect(HTTPDate.text(seconds) == text) }
}
