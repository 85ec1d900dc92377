import CairnCore
import CairnDefinition
import CairnTesting
import Testing

@Suite struct `Link that an action opens` {
  private static let text = """
    app: opens
    language: 1
    compat: { words: [show] }
    root: { flow: main }
    screens: { home: { emits: [] }, item: { params: { id: integer }, emits: [] } }
    steps: { show: { id: integer } }
    flows: { main: { stack: home, handle: { show: { push: item, with: { id: $id } } } } }
    links:
      - { scheme: x, path: "/items/{id}", send: show }
      - { scheme: x, path: "/items/{name}", query: [id], send: show, with: { id: $id } }
    notifications:
      values: { id: /id }
      suppress: [{ category: quiet, when: { visible: home } }]
      take: [{ category: item, how: [tap, foreground], link: "x://items/{id}" }]
    """

  private func opening(_ url: String?, _ category: String? = nil, tap: Bool = true, _ message: Action.Message = .init()) throws -> Opening?
  {
    let drive = try Drive(Self.text)
    let action = Action.notification(url: url, category: category, tap: tap, appState: .foreground, message)
    return drive.reducer.opening(of: action, in: drive.state, stamp: Stamp(time: 1, nonce: ""))
  }

  @Test func `a URL is accepted by the first link that matches, and a URL without a link is reported`() throws {
    let drive = try Drive(Self.text)
    func opening(_ url: String) -> Opening? {
      drive.reducer.opening(of: .open(url: url), in: drive.state, stamp: Stamp(time: 1, nonce: ""))
    }
    #expect(opening("x://items/7")?.link == TakenLink(index: 0, values: ["id": "7"]))
    #expect(opening("x://items/a?id=8")?.link == TakenLink(index: 1, values: ["id": "8", "name": "a"]))
    #expect(opening("x://items/a") == Opening(url: "x://items/a"))
    #expect(opening("x://elsewhere") == Opening(url: "x://elsewhere"))
    #expect(drive.reducer.opening(of: .back, in: drive.state, stamp: Stamp(time: 1, nonce: "")) == nil)
  }

  @Test func `with thousands of links the rejection of an unknown URL names only a few`() throws {
    var definition = try Drive(Self.text).reducer.definition
    definition.links = (0..<1_000).map { LinkDefinition(schemes: ["x"], path: [.literal("a\($0)")], steps: [StepTemplate("show")]) }
    let detail = try #require(definition.link(for: "x://zz").refusal?.faults.first?.detail)
    #expect(detail.hasPrefix("must be like x://a0, x://a1, ") && detail.hasSuffix("x://a15, …"), "\(detail)")
  }

  @Test func `a notification opens its own link, or that of its handler`() throws {
    #expect(try opening("x://items/7")?.link?.values == ["id": "7"])
    let taken = try opening(nil, "item", tap: false, .init(values: ["id": 9]))
    #expect(taken == Opening(url: "x://items/9", link: TakenLink(index: 0, values: ["id": "9"])))
  }

  @Test func `a notification that is suppressed, only received, or answered by a button without a rule opens no link`() throws {
    #expect(try opening("x://items/7", "quiet") == nil)
    #expect(try opening("x://items/7", tap: false) == nil)
    #expect(try opening("x://items/7", tap: false, .init(action: "later")) == nil)
  }
}
