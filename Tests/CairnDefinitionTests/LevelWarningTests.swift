import Foundation
import Testing

/// The warning about a level on which the user and others present modals.
@Suite struct `Warnings about levels of user and office` {
  /// An app whose user presents `help` at `opened`, and whose operator presents `alarm` at `raised`.
  static func app(
    opened: String = "{ present: help, level: 5 }", raised: String = "{ present: alarm, level: 5 }", more: String = "", top: String = ""
  ) -> String {
    """
    app: office
    language: 1
    root: main
    screens: { home: { emits: [opened] }, help: { emits: [closed] }, alarm: { emits: [closed] } }
    steps: { raised: { by: operator }, rung: }
    flows:
      main:
        stack: home
        handle:
          opened: \(opened)
          raised: \(raised)
          closed: dismiss
          rung: \(more.isEmpty ? "[]" : more)
    \(top)
    """
  }

  private static let message =
    "`alarm` is not shown while `help` is on level 5, which the user may open without knowing of it; give `alarm` a higher level of its own, or "
    + "add `queue: true` if it may wait"

  private func found(_ text: String) -> [String] {
    doubts(text).filter { $0.contains("is not shown while") || $0.contains("error: ") }
  }

  @Test func `a level on which a step of the user and one of an operator present is reported at the operator's modal`() {
    #expect(found(Self.app()) == ["11:26: warning: \(Self.message)"])
  }

  @Test(arguments: [
    "{ present: alarm, level: 6 }", "{ present: alarm, level: 5, queue: true }",
    "{ present: alarm, level: 5, replace: true, sealed: true }",
    "{ present: help, level: 5, replace: true }", "{ present: alarm }", "{ push: alarm }",
    "[{ when: { screen: help }, do: { push: alarm } }, { do: { present: alarm, level: 5 } }]",
  ]) func `a level of its own, a modal that may wait or that is always in front, and a condition on the other modal cause none`(
    raised: String
  ) {
    #expect(found(Self.app(raised: raised)) == [])
  }

  @Test func `replace does not help, because what the user does without a network arrives later`() {
    #expect(found(Self.app(raised: "{ present: alarm, level: 5, replace: true }")) == ["11:26: warning: \(Self.message)"])
  }

  @Test func `a condition of the user's step on the other modal causes none`() {
    let opened = "[{ when: { screen: alarm }, do: [] }, { do: { present: help, level: 5 } }]"
    #expect(found(Self.app(opened: opened)) == [])
  }

  @Test func `steps that are sent on count for the one who sends them`() {
    #expect(
      found(Self.app(raised: "{ send: rung }", more: "{ present: alarm, level: 5 }")) == ["13:24: warning: \(Self.message)"])
    #expect(found(Self.app(opened: "{ send: rung }", more: "{ present: help, level: 5 }")) == ["11:26: warning: \(Self.message)"])
    // An operator may send this step too, so it is not only the user's.
    #expect(
      found(
        Self.app(opened: "{ send: rung }", raised: "[{ send: rung }, { present: alarm, level: 5 }]", more: "{ present: help, level: 5 }"))
        == [])
  }

  @Test(arguments: [("silent", true), ("foreground", true), ("tap", false)])
  func `a notification counts unless the user taps on it`(how: String, isReported: Bool) {
    let take = "notifications: { take: [{ category: alarm, how: [\(how)], send: rung, to: root }] }"
    #expect(
      found(Self.app(raised: "[]", more: "{ present: alarm, level: 5 }", top: take))
        == (isReported ? ["13:24: warning: \(Self.message)"] : []))
  }
}
