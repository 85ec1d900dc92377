import Foundation
import Testing

/// The warning about a POST that ends with its page.
@Suite struct `Warnings about lost results` {
  /// An app whose screen `page` emits `sent` and `tapped`, and whose flow `main` handles `opened` and `sent`.
  static func app(opened: String = "{ push: page }", sent: String = post(), emits: String = "sent", more: String = "") -> String {
    """
    app: posts
    language: 1
    allowHosts: [api.example]
    root: main
    screens: { home: { emits: [opened] }, page: { emits: [\(emits)] } }
    flows:
      main: { stack: home, handle: { opened: \(opened), sent: \(sent), done: []\(emits == "tapped" ? ", tapped: { send: sent }" : "") } }
      \(more)
    steps: { done: \(emits == "tapped" ? ", sent: " : "") }
    rules: [{ when: { fact: accessToken, is: present }, send: done }]
    """
  }

  /// An operation that starts a load with `post`. `members` are further members of the load, and `more` are those of the operation.
  static func post(_ members: String = "", _ more: String = "") -> String {
    "{ load: { post: \"https://api.example/orders\"\(members) }\(more) }"
  }

  private func found(_ text: String) -> [String] {
    doubts(text).filter { $0.contains("the POST") || $0.contains("error: ") }.compactMap { $0.components(separatedBy: "warning: ").last }
  }

  private static let message =
    "the POST that `main` sends at `sent` is cancelled when a gesture removes its screen, such as `page`; use `submit`, or write "
    + "`of: screen` if its result may be lost"

  @Test(arguments: [
    ("{ push: page }", true), ("{ present: page }", true), ("{ set: [home, page] }", true), ("{ present: page, level: 3 }", true),
    ("{ set: [page] }", false), ("{ replace: page }", false), ("{ present: page, style: fullScreen }", false),
    ("{ push: page, guard: true }", false), ("{ push: page, guard: done }", false),
  ]) func `a POST of a screen that a gesture can remove causes a warning`(opened: String, isLost: Bool) {
    #expect(found(Self.app(opened: opened)) == (isLost ? [Self.message] : []))
  }

  @Test(arguments: [
    post("", ", of: screen"), post("", ", of: flow"), post("", ", of: page"), post(", while: visible"),
    post().replacing("post:", with: "put:"), post().replacing("post:", with: "get:"),
    post(", key: order, then: done").replacing("load:", with: "submit:"),
  ]) func `a load that names its node or stops when it is covered, another method and a message cause none`(sent: String) {
    #expect(found(Self.app(sent: sent)) == [])
  }

  @Test func `the warning has the position of the load, and follows a step that is sent on`() {
    let position = "7:72: warning: "
    #expect(doubts(Self.app()).filter { $0.contains("the POST") } == [position + Self.message])
    #expect(found(Self.app(emits: "tapped")) == [Self.message])
    // Only a screen that stays sends the step.
    #expect(found(Self.app().replacing("emits: [opened]", with: "emits: [opened, sent]").replacing("[sent]", with: "[]")) == [])
  }

  @Test(arguments: [
    ("{ present: side }", true), ("{ push: side }", true), ("{ present: side, style: fullScreen }", false),
    ("{ present: side, guard: done }", false), ("{ set: [side] }", false),
  ]) func `the first page of a flow ends with the flow`(opened: String, isLost: Bool) {
    #expect(found(Self.app(opened: opened, more: "side: { stack: page }")) == (isLost ? [Self.message] : []))
    let own = Self.app(opened: opened, sent: "[]", more: "side: { stack: page, handle: { sent: \(Self.post()) } }")
    #expect(found(own) == (isLost ? [Self.message.replacing("`main`", with: "`side`")] : []))
  }

  @Test func `the first page that a flow without pages pushes is removed only with the flow`() {
    func app(_ style: String) -> String {
      Self.app(
        opened: "{ present: { flow: side, start: done }, style: \(style) }", sent: "[]",
        more: "side: { stack: [], handle: { done: { push: page }, sent: \(Self.post()) } }")
    }
    #expect(found(app("sheet")) == [Self.message.replacing("`main`", with: "`side`")])
    #expect(found(app("fullScreen")) == [])
  }
}
