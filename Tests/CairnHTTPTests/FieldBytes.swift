import Testing

@testable import CairnHTTP

@Suite struct `Characters of fields` {
  @Test(arguments: [UInt8(ascii: "a"), 0x20, 0x80, 0xFF])
  func `a value is legal unless it contains a control character other than the tab`(other: UInt8) {
    var wrong: [String] = []
    for count in 1...18 {
      for place in 0..<count {
        for byte in UInt8.min ... .max {
          var value = [UInt8](repeating: other, count: count)
          value[place] = byte
          let isLegal = byte >= 0x20 && byte != 0x7F || byte == 0x09
          if value.withUnsafeBytes(\.isFieldValue) != isLegal { wrong.append("\(byte) at \(place) of \(count)") }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a token consists of letters, digits and fifteen other characters (RFC 9110 5.6.2)`() {
    let characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&'*+-.^_`|~"
    let tokens = (UInt8.min ... .max).filter { byte in [byte].withUnsafeBytes(\.isToken) }
    #expect(tokens == characters.utf8.sorted())
    #expect(!UnsafeRawBufferPointer(start: nil, count: 0).isToken)
  }

  @Test func `a head ends with the Content-Length, if it is sent, and an empty line`() {
    for (length, text) in [(nil, "\r\n"), (0, "Content-Length: 0\r\n\r\n"), (Int.max, "Content-Length: 9223372036854775807\r\n\r\n")] {
      #expect(HeadEnd(length: length).withBytes { String(decoding: $0, as: UTF8.self) } == text)
    }
  }
}
