import CairnAPI
import CairnCore
import Testing

@Suite struct YAMLTextTests {
  @Test func `control characters and invisible characters in a quoted text are escaped`() {
    #expect(YAMLText.quoted("a\u{202E}b\u{2066}c\u{200B}\u{1B}[2J\n") == #""a\u202eb\u2066c\u200b\u001b[2J\u000a""#)
    #expect(YAMLText.quoted("\u{E0041}\u{F0000}\u{A0}") == #""\U000e0041\U000f0000\u00a0""#)
    #expect(YAMLText.quoted("é 👩‍👩‍👧 \"x\"\\") == #""é 👩‍👩‍👧 \"x\"\\""#)
  }

  @Test(arguments: ["a", "home", "n3", "a.b_c-d", "Z9", "nullable", "offer"]) func `a plain word is written without quotes`(text: String) {
    #expect(YAMLText.scalar(text) == text)
  }

  @Test(arguments: ["", "1", "-a", ".5", "null", "True", "NO", "on", "y", "a b", "a:", "#a", "é", "a\n", "_a", "~", "a,b", "[a]", "@a"])
  func `a text that YAML could read as another type is quoted`(text: String) {
    #expect(YAMLText.scalar(text).hasPrefix("\"") && YAMLText.scalar(text).hasSuffix("\""))
  }

  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (-1, "-1"), (.number(0.5), "0.5"), ("a", "a"), ("1", "\"1\""), ([], "[]"), ([:], "{}"),
      ([1, ["b": [], "a": "x"]], "[1, { a: x, b: [] }]"), (["a b": .null, "true": 1], "{ \"a b\": null, \"true\": 1 }"),
    ] as [(Value, String)]) func `a value is written in one line, with its members in order`(value: Value, text: String)
  {
    #expect(YAMLText.flow(value) == text)
  }

  @Test func `one member may be written first, and is null if it is absent`() {
    #expect(YAMLText.map(first: "m", ["a": 1, "m": 2]) == "{ m: 2, a: 1 }")
    #expect(YAMLText.map(first: "m", ["a": 1]) == "{ m: null, a: 1 }")
  }
}
