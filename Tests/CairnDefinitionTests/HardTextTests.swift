import CairnCore
import CairnDefinition
import Foundation
import Testing

@Suite struct HardTextTests {
  @Test func `an empty text, several documents, tabs and broken YAML give one error with its position`() {
    #expect(complaints("") == ["1:1: the file is empty; it must be a map with at least `app`, `root`, `screens` and `flows`"])
    #expect(complaints("# nothing\n") == ["1:1: the file is empty; it must be a map with at least `app`, `root`, `screens` and `flows`"])
    #expect(
      complaints("a: 1\n---\nb: 2\n") == ["2:1: not YAML: expected a single document in the stream, but found another document"])
    #expect(
      complaints("app: x\n\troot: y\n") == [
        "2:1: not YAML: while scanning a plain scalar, found a tab character that violates indentation"
      ])
    #expect(complaints("a: [1, 2\nb: 3\n") == ["2:2: not YAML: while parsing a flow sequence, did not find expected ',' or ']'"])
    #expect(complaints("app: x\nroot: { flow: *nothing }\n") == ["2:15: not YAML: the alias `*nothing` has no anchor `&nothing` before it"])
    #expect(complaints("app: x\nb: \"a\u{1}\"\n") == ["2:6: not YAML: control characters are not allowed"])
  }

  @Test func `merge keys and keys that are no strings are rejected`() {
    let said = complaints(Demo.text("  main: { stack: [], <<: { meta: home }, ? [a] : 1 }"))
    #expect(
      said == [
        "19:22: merge keys are not part of YAML 1.2; write the members themselves", "19:44: a key must be a string, not a map or list",
      ])
  }

  @Test func `a byte order mark before any document is ignored, and positions do not count it`() throws {
    let mark = "\u{FEFF}"
    let whole = Demo.text("  main: { stack: home }")
    #expect(complaints(mark + whole) == complaints(whole))
    #expect(complaints(mark + "app: 1") == complaints("app: 1"))
    let json = #"{"app":"j","root":{"flow":"main"},"screens":{"home":{}},"flows":{"main":{"stack":"home"}},"language":1}"#
    let (plain, marked) = (try DefinitionLoader.load(file: "j", text: json), try DefinitionLoader.load(file: "j", text: mark + json))
    #expect(plain.hash == marked.hash)
    // Migrations and scenario files are read by the same reader.
    #expect(try Document.read(file: "d", text: mark + "a: 1").value == ["a": 1])
  }

  @Test func `a file over the maximum size is rejected before it is parsed`() {
    let text = "app: x # " + String(repeating: "x", count: 1_048_576)
    #expect(complaints(text) == ["1:1: the file has 1048585 bytes; the maximum is 1048576"])
  }

  @Test func `64 levels of nesting are accepted, and 65 are not`() {
    func nested(_ levels: Int) -> String {
      // The file, `flows`, `main` and `meta` are four levels.
      let lists = levels - 4
      let open = String(repeating: "[", count: lists)
      return Demo.text("  main: { stack: home, meta: { a: \(open)1\(String(repeating: "]", count: lists))} }")
    }
    #expect(complaints(nested(63)) == [])
    #expect(
      complaints(nested(64)).count == 1 && complaints(nested(64)).first?.hasSuffix("the file is nested more than 64 levels deep") == true)
  }

  @Test func `aliases cannot expand a small file beyond the limit`() {
    var text = "app: x\nlanguage: 1\nroot: { flow: f }\nmeta:\n  a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for level in 1...12 {
      text += "  a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    let said = complaints(text)
    #expect(said.contains { $0.hasSuffix("with its aliases expanded, the file has more than the maximum of 200000 values") })
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000),
    String(repeating: "- ", count: 100_000) + "a",
    String(repeating: "? ", count: 100_000) + "a", String(repeating: "- ", count: 127) + "a",
    (0..<120).map { String(repeating: " ", count: $0) + "a:\n" + String(repeating: " ", count: $0) + "-" }.joined(
      separator: "\n"),
    String(repeating: "[", count: 255) + String(repeating: "]", count: 255),
  ]) func `deep nesting does not overflow the stack of a small thread`(text: String) {
    let said = Said()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      said.lines = complaints(text)
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    #expect(said.lines.contains { $0.hasSuffix("the file is nested more than 64 levels deep") })
  }

  /// `@unchecked` because the lines are written before the semaphore is signalled, and read after it.
  private final class Said: @unchecked Sendable { var lines: [String] = [] }

  @Test func `a file with many names is parsed in linear time`() {
    // With a quadratic algorithm this test would take minutes.
    let keys = (0..<60_000).map { "  k\($0): 1\n" }.joined()
    #expect(complaints("app: x\nlanguage: 1\nroot: { flow: f }\nflows: { f: { stack: [] } }\nmeta:\n\(keys)") == [])
  }

  @Test func `a file with more repeated keys than are reported is rejected`() {
    let keys = (0..<80).map { "  k\($0): 1\n  k\($0): 2\n" }.joined()
    #expect(!complaints("app: x\nlanguage: 1\nroot: { flow: f }\nmeta:\n\(keys)").isEmpty)
  }
}
