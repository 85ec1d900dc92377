import CairnCore
import Testing

@Suite struct `JSON Pointers into a payload` {
  /// RFC 6901, section 4. `~1` is decoded before `~0`, and any other tilde stands for itself.
  @Test(
    arguments: [
      ("/a~1b", "a/b"), ("/a~0b", "a~b"), ("/~01", "~1"), ("/~10", "/0"), ("/~0~1", "~/"), ("/~~1", "~/"), ("/~~", "~~"), ("/a~", "a~"),
      ("/~2", "~2"), ("/", ""), ("/é~1ü", "é/ü"),
    ])
  func `a pointer finds a member by its escaped name`(pointer: String, name: String) {
    let payload: Value = .object([name: 1, "other": 2])
    #expect(payload.at(pointer: pointer) == 1)
  }

  @Test func `a pointer descends through members and elements`() {
    let payload: Value = ["a": [["b/c": "x"], "y"]]
    #expect(payload.at(pointer: "/a/0/b~1c") == "x")
    #expect(payload.at(pointer: "/a/1") == "y")
    #expect(payload.at(pointer: "") == payload)
    for pointer in ["a", "/a/2", "/a/-1", "/a/01", "/a/0/b", "/b"] { #expect(payload.at(pointer: pointer) == nil, "\(pointer)") }
  }

  @Test(
    arguments: [
      ("/a/b", 1), ("/list/1/c", 2), ("/blank/b", 1), ("/deep/x/y", 3), ("/a", #"{"b":1}"#), ("/broken/b", nil), ("/word/0", nil),
      ("/twice/b", nil), ("/number/b", nil),
    ] as [(String, Value?)]) func `a pointer continues inside a text that is a JSON object or array`(pointer: String, value: Value?)
  {
    let payload: Value = [
      "a": #"{"b":1}"#, "list": #"[0,{"c":2}]"#, "blank": " \n{\"b\":1} ", "deep": #"{"x":"{\"y\":3}"}"#, "broken": #"{"b":1"#,
      "word": "[text]",
      "twice": #"{"b":1,"b":2}"#, "number": "12",
    ]
    #expect(payload.at(pointer: pointer) == value)
  }

  @Test func `a text that is too long, nested too deeply or has too many values is a text`() {
    let limits = Value.embeddedLimits
    func found(_ text: String) -> Value? { Value.object(["a": .string(text)]).at(pointer: "/a/0") }
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth) }
    #expect(found(nested(limits.depth)) != nil && found(nested(limits.depth + 1)) == nil && found(nested(30_000)) == nil)
    func wide(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
    #expect(found(wide(limits.values - 1)) == 1 && found(wide(limits.values)) == nil)
    func long(_ bytes: Int) -> String { #"[1,""# + String(repeating: "x", count: bytes - 6) + #""]"# }
    #expect(found(long(limits.bytes)) == 1 && found(long(limits.bytes + 1)) == nil)
  }
}
