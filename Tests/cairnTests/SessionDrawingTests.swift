import CairnClient
import CairnCore
import Foundation
import Testing

@testable import cairn

@Suite struct `Drawing of a session` {
  private static let json = """
    {"id":"s1","app":"demo","definition":"d","revision":5,"label":"mine","facts":{"accessToken":true,"city":"Bern"},
     "login":{"status":"loggedIn"},"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z",
     "accepts":{"steps":[{"step":"movieIsPicked","params":{"withId":"integer"}},{"step":"logoutIsRequired","params":{}}],"primitives":["pop","back"]},
     "pending":[{"kind":"timer","name":"idle","step":"sessionIsOver","due":"2026-01-01T00:15:00.000Z"},
                {"kind":"link","link":"l1","url":"https://a.example/x","until":"2026-01-02T00:00:00.000Z"}],
     "stack":[{"id":"n5","screen":"list","flow":"wishlist"},{"id":"n9","screen":"login","flow":"sheet","presented":true}],
     "visible":{"id":"n9","screen":"login","flow":"sheet","presented":true},
     "tree":{"id":"n1","kind":"tabs","name":"app","selected":0,"children":[
        {"id":"n2","kind":"stack","name":"wishlist","children":[
           {"id":"n5","kind":"screen","name":"list","content":{"status":"failed","error":"timeout"}},
           {"id":"n6","kind":"screen","name":"detail","params":{"id":7,"name":"Zoë \\u001b[31m"}}]},
        {"id":"n3","kind":"stack","name":"watched","children":[]}],
      "presented":{"id":"n8","kind":"stack","name":"sheet","style":"sheet","guarded":true,"children":[{"id":"n9","kind":"screen","name":"login"}]},
      "levels":[{"id":"n10","kind":"alert","name":"lock","level":2}]}}
    """

  private func drawn(_ style: DrawingStyle, marks: [NodeID: TreeDrawing.Mark] = [:]) throws -> String {
    let session = try JSONDecoder().decode(SessionView.self, from: Data(Self.json.utf8))
    let now = Date(timeIntervalSince1970: 1_767_225_600 + 61)
    let lines = SessionDrawing(session, isUnicode: style.isUnicode, now: now, marks: marks).lines
    return lines.map { $0.text(style) }.joined(separator: "\n")
  }

  @Test func `a session is drawn with lines and arrows`() throws {
    #expect(
      try drawn(DrawingStyle(isUnicode: true, hasColour: false)) == """
        demo  s1  revision 5  loggedIn  "mine"

        app  tabs
        ├─ ● wishlist  stack
        │  ├─ list  failed: timeout
        │  └─ detail(id: 7, name: Zoë \\u{1b}[31m)
        ├─ ○ watched  stack
        ├─ ▲ sheet  stack, sheet, guarded
        │  └─ login  ◀ visible
        └─ ▲2 lock  alert

        at: list › ^login
        facts: accessToken: true, city: Bern
        waits: timer idle: sessionIsOver, in 13:59
        waits: link l1 https://a.example/x, expires in 23:58:59
        accepts: movieIsPicked(withId: integer), logoutIsRequired; pop, back
        """)
  }

  @Test func `overlays, a question and the end of an overlay are drawn`() throws {
    let json = """
      {"id":"s1","app":"demo","definition":"d","revision":5,"facts":{"accessToken":false},"login":{"status":"loggedOut"},
       "createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","accepts":{"steps":[],"primitives":[]},
       "pending":[{"kind":"question","question":"q1","node":"n2","name":"form","action":"back","reason":"guarded"},
                  {"kind":"overlay","name":"banner","slot":"top"},{"kind":"timer","node":"n4","due":"2026-01-01T00:00:08.000Z"}],
       "stack":[],"tree":{"id":"n1","kind":"stack","name":"main","children":[{"id":"n2","kind":"screen","name":"form","guarded":true}],
        "presented":{"id":"n3","kind":"alert","name":"sure","style":"alert"},
        "overlays":[{"id":"n4","kind":"screen","name":"banner","slot":"top"}]}}
      """
    let session = try JSONDecoder().decode(SessionView.self, from: Data(json.utf8))
    let lines = SessionDrawing(session, isUnicode: true, now: Date(timeIntervalSince1970: 1_767_225_600)).lines
    #expect(
      lines.map { $0.text(DrawingStyle(isUnicode: true, hasColour: false)) }.joined(separator: "\n") == """
        demo  s1  revision 5  loggedOut

        main  stack
        ├─ form  guarded
        ├─ ▲ sure  alert
        └─ +top banner

        at: nothing is visible
        facts: accessToken: false
        waits: question q1 of form before back
        waits: overlay banner for slot top
        waits: end of the overlay n4, in 0:08
        accepts: nothing
        """)
  }

  @Test(arguments: 1...14) func `with few lines the visible screen is kept`(room: Int) throws {
    let session = try JSONDecoder().decode(SessionView.self, from: Data(Self.json.utf8))
    let style = DrawingStyle(isUnicode: true, hasColour: false, width: 40)
    let lines = SessionDrawing(session, isUnicode: true, now: Date(timeIntervalSince1970: 0)).lines(room: room).map { $0.text(style) }
    #expect(lines.count == room && lines.contains { $0.contains("login  ◀ visible") }, "\(lines)")
    #expect(room < 4 || lines[0].hasPrefix("demo  s1"))
  }

  @Test func `a session is drawn in ASCII for a narrow terminal`() throws {
    #expect(
      try drawn(DrawingStyle(isUnicode: false, hasColour: false, width: 24), marks: [NodeID(9): .new, NodeID(5): .changed]) == """
        demo  s1  revision 5  l~

        app  tabs
        |- * wishlist  stack
        |  |- ~ list  failed: t~
        |  `- detail(id: 7, nam~
        |- o watched  stack
        |- ^ sheet  stack, shee~
        |  `- + login  <- visib~
        `- ^2 lock  alert

        at: list > ^login
        facts: accessToken: tru~
        waits: timer idle: sess~
        waits: link l1 https://~
        accepts: movieIsPicked(~
        """)
    #expect(try drawn(DrawingStyle(isUnicode: false, hasColour: false)).contains("name: Zo\\u{eb} \\u{1b}[31m)"))
  }

  @Test func `colours are added to words, and text from clients contains no control characters`() throws {
    let text = try drawn(DrawingStyle(isUnicode: true, hasColour: true))
    #expect(text.contains("\u{1B}[1mlogin\u{1B}[0m\u{1B}[32m  ◀ visible\u{1B}[0m"))
    #expect(!text.contains("Zoë \u{1B}"))
    for text in ["\u{7}", "a\u{202E}b", "\u{9B}2J", "\n", "\u{2028}", "\u{200F}"] {
      let shown = PrintableText.of(text)
      #expect(shown.contains("\\u{") && shown.unicodeScalars.allSatisfy { $0.isASCII })
    }
  }

  @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("🙂", 2), ("", 0)])
  func `the width of a text is counted in columns`(text: String, columns: Int) {
    #expect(PrintableText.width(text) == columns)
    #expect(PrintableText.prefix(text + "xyz", columns: columns) == text)
  }

  @Test func `new and changed nodes are marked, but not the nodes around them`() throws {
    func tree(_ json: String) throws -> Tree { try JSONDecoder().decode(Tree.self, from: Data(json.utf8)) }
    let old = try tree(
      #"{"id":"n1","kind":"stack","name":"m","children":[{"id":"n2","kind":"screen","name":"a"},{"id":"n3","kind":"screen","name":"b"}]}"#)
    let new = try tree(
      #"{"id":"n1","kind":"stack","name":"m","children":[{"id":"n2","kind":"screen","name":"a","params":{"x":1}},{"id":"n4","kind":"screen","name":"c"}]}"#
    )
    #expect(TreeDrawing.marks(from: old, to: new) == [NodeID(2): .changed, NodeID(4): .new])
  }

  @Test(arguments: [
    ("5", "integer", Value.integer(5)), ("5", "string", "5"), ("5", "integer?", .integer(5)), ("five", "integer", "five"),
    ("5.5", "integer", "5.5"),
    ("5.5", "number", .number(5.5)), ("5", "number", .integer(5)), ("true", "boolean", true), ("true", "string?", "true"),
    ("yes", "boolean", "yes"),
    ("", "string", ""), ("a=b", "string", "a=b"),
  ])
  func `a param has the type that the app declares`(text: String, type: String, value: Value) {
    #expect(TypedParams.value(text, type: type) == value)
  }

  @Test func `an undeclared param is parsed as JSON, or is a text if that fails`() {
    #expect(TypedParams.value("{\"a\":1}", type: nil) == ["a": 1] && TypedParams.value("x y", type: nil) == "x y")
    #expect(TypedParams.split("a=b=c")?.text == "b=c" && TypedParams.split("a") == nil && TypedParams.split("=a") == nil)
  }
}
