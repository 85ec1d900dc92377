import Testing

@testable import CairnCore

/// The cases include examples of RFC 3492, 7.1.
@Suite struct `ASCII form of host names` {
  @Test(arguments: [
    ("bücher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("münchen", "xn--mnchen-3ya"),
    ("☃.net", "xn--n3h.net"),
    ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
    ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"), ("a.example", "a.example"), ("", ""), ("a..b", "a..b"),
    ("💩.la", "xn--ls8h.la"),
  ]) func `a name has one ASCII form, which is decoded to the name`(name: String, ascii: String) {
    #expect(Punycode.ascii(name) == ascii)
    #expect(Punycode.readable(ascii) == name)
  }

  @Test(arguments: [
    "xn--", "xn--a-", "xn--99999999999", "xn--é", "xn---", "xn--\u{0}",
    "xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
  ]) func `a label that is not Punycode stays as it is`(label: String) {
    #expect(Punycode.readable(label) == label)
  }

  @Test func `a name that is too long for a host has no ASCII form`() {
    #expect(Punycode.ascii(String(repeating: "é", count: 64)) == nil)
    #expect(Punycode.ascii(String(repeating: "é", count: 20)) != nil)
  }

  @Test func `random labels are decoded without a trap, and random names survive both ways`() {
    var random = SystemRandomNumberGenerator()
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars)
    for _ in 0..<20_000 {
      var label = ""
      for _ in 0..<Int.random(in: 0...63, using: &random) {
        label.unicodeScalars.append(digits[Int.random(in: 0..<digits.count, using: &random)])
      }
      _ = Punycode.readable("xn--" + label)
      var name = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        guard let scalar = Unicode.Scalar(UInt32.random(in: 0x80...0x1F_FFF, using: &random)) else { continue }
        name.unicodeScalars.append(scalar)
      }
      guard !name.isEmpty, let ascii = Punycode.ascii(name) else { continue }
      #expect(Punycode.readable(ascii).unicodeScalars.elementsEqual(name.unicodeScalars))
    }
  }
}
