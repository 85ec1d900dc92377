import CairnAPI
import Testing

@Suite struct YAMLTextTests {
  @Test func `a quoted text shows what turns or hides text, and controls, as numbers (D29)`() {
    #expect(YAMLText.quoted("a\u{202E}b\u{2066}c\u{200B}\u{1B}[2J\n") == #""a\u202eb\u2066c\u200b\u001b[2J\u000a""#)
    #expect(YAMLText.quoted("\u{E0041}\u{F0000}\u{A0}") == #""\U000e0041\U000f0000\u00a0""#)
    #expect(YAMLText.quoted("é 👩‍👩‍👧 \"x\"\\") == #""é 👩‍👩‍👧 \"x\"\\""#)
  }
}
