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
}
