import CairnCore
import CairnDefinition
import Testing

@Suite struct `Conditions of links and the step for other URLs` {
  private func text(_ defaults: String, _ links: String) -> String {
    """
    app: x
    language: 1
    root: main
    facts: { isPro: { type: boolean, default: false } }
    screens: { home: { emits: [tapped] } }
    steps: { opened: { id: integer }, failed: { url: string, reason: string }, counted: { url: integer } }
    flows:
      main: { stack: home, handle: { opened: [], failed: [], counted: [], tapped: { write: { isPro: true } } } }
    linkDefaults: { scheme: x\(defaults) }
    links: [\(links)]
    """
  }

  @Test func `a condition and the step are read`() throws {
    let definition = try definition(
      text(
        ", to: root, unmatched: failed", "{ path: \"/o/{id}\", when: { fact: isPro }, send: opened }, { path: \"/o/{id}\", send: opened }"))
    #expect(definition.links.map(\.when) == [.fact("isPro", .isTrue), nil])
    #expect(
      definition.unmatched
        == StepTemplate("failed", with: ["url": .reference(.param("url")), "reason": .reference(.param("reason"))], to: .root))
  }

  @Test(
    arguments: [
      (", unmatched: { step: failed, with: { url: $url, reason: unknown } }", nil),
      (", unmatched: opened", "the step `opened` requires `id: integer` in `with`"),
      (", unmatched: faild", "there is no step `faild`; did you mean `failed`?"),
      (", unmatched: counted", "`url` of the step `counted` must be of type integer, not string"),
      (", unmatched: { step: failed, with: { url: $path, reason: x } }", "there is no param `path`"),
      (
        ", unmatched: { step: failed, to: parent }",
        "`to` of `unmatched` must be `root`, `all` or a flow's name, because no flow sends the step"
      ),
    ] as [(String, String?)]) func `a mistake in the step is reported`(defaults: String, message: String?)
  {
    let found = complaints(text(defaults, "{ path: \"/o/{id}\", send: opened }")).filter { !$0.contains(" warning: ") }
    guard let message else { return #expect(found == []) }
    #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
  }

  @Test func `a condition of a link cannot test its captures`() {
    let found = complaints(text("", "{ path: \"/o/{id}\", when: { param: id, is: 7 }, send: opened }")).filter {
      !$0.contains(" warning: ")
    }
    #expect(found.count == 1 && found.first?.contains("`when` can test facts and flows, but not the link's params") == true, "\(found)")
  }

  @Test func `a link with a condition leaves its URLs to later links`() {
    func warnings(_ first: String) -> [String] {
      doubts(text("", "{ path: \"/o/{id}\", \(first)send: opened }, { path: \"/o/{id}\", send: opened }"))
        .filter { $0.contains("never matches") }
    }
    #expect(warnings("when: { fact: isPro }, ") == [])
    #expect(warnings("").count == 1)
  }
}
