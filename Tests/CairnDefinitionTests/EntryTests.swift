import CairnCore
import CairnDefinition
import Testing

/// The conditions and paths of links, and the handlers of notifications.
@Suite struct `Links and notifications of a definition` {
  private static let main = "  main: { stack: home }\n"

  private func links(_ text: String) throws -> [LinkDefinition] { try definition(Demo.text(Self.main) + text).links }

  private func said(_ text: String) -> [String] {
    complaints(Demo.text(Self.main) + text).map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  @Test func `linkDefaults apply to links without a value of their own`() throws {
    let text = """
      linkDefaults: { scheme: demo, requires: { flow: main }, holdFor: 5m, else: started, holdAtMost: 3 }
      links:
        - { path: /a, send: started }
        - { path: "/b/{id}", requires: { visible: home }, holdFor: 1h, else: { step: picked, to: main }, send: started }
        - { path: /c, requires: none, send: started }
        - { path: /d, else: none, send: started }
      """
    let links = try links(text)
    #expect(try definition(Demo.text(Self.main) + text).heldLinks == 3)
    #expect(links.map(\.requires) == [.flow("main"), .visible(["home"], with: [:]), nil, .flow("main")])
    #expect(links.map(\.hold) == [300_000, 3_600_000, 300_000, 300_000])
    #expect(
      links.map(\.otherwise) == [
        StepTemplate("started"), StepTemplate("picked", with: ["id": .reference(.param("id"))], to: .flow("main")), nil, nil,
      ])
  }

  @Test func `a path may have an optional or a remaining segment, and a host may have a port`() throws {
    let text = """
      links:
        - { host: "X.example:8443", path: "/a/{name?}", send: { }, send: [started] }
        - { host: x.example, path: "/{rest...}", send: started }
      """.replacing("send: { }, ", with: "")
    let links = try links(text)
    #expect(links.map(\.hosts) == [["x.example:8443"], ["x.example"]])
    #expect(links.map(\.path) == [[.literal("a"), .optional("name")], [.rest("rest")]])
    #expect(links.map(\.pathText) == ["/a/{name?}", "/{rest...}"])
  }

  @Test(arguments: [
    ("path: /*", "`*` is not a pattern; `{name}` captures a segment, and `{rest...}` at the end captures all remaining segments"),
    ("path: /a/**", "`**` is not a pattern; `{name}` captures a segment, and `{rest...}` at the end captures all remaining segments"),
    ("path: \"/{a...}/b\"", "`{a...}` matches all remaining segments, so it must be the last one"),
    ("path: \"/{a?}/b\"", "`{a?}` is optional, so it must be the last segment"),
    ("path: \"/{a?}/{b...}\"", "`{a?}` is optional, so it must be the last segment"),
    ("path: \"/{a}/{a...}\"", "`a` is captured twice; rename one of the two captures"),
    ("path: /a, host: \"x.example:443\"", "`443` is the scheme's default port; remove it"),
    ("path: /a, host: \"x.example:0\"", "a port must be a number from 1 to 65535, not `0`"),
    ("path: /a, host: \"x.example:\"", "a port must be a number from 1 to 65535, not empty"),
    ("path: /a, else: started", "`else` has no effect without `requires`"),
    ("path: /a, requires: none, holdFor: 1h", "`holdFor` has no effect without `requires`"),
    (
      "path: /a, requires: { flow: main }, else: { step: started, to: parent }",
      "`to` of a link's step must be `root`, `all` or a flow's name, not `parent`"
    ),
  ]) func `a link that has no effect is reported`(link: String, message: String) {
    let host = link.contains("host:") ? "" : "host: x.example, "
    #expect(said("links: [{ \(host)\(link), send: started }]").contains { $0.contains(message) })
  }

  @Test func `an optional capture cannot fill a required param`() {
    #expect(
      said("links: [{ scheme: demo, path: \"/a/{id?}\", send: picked }]").first?.hasSuffix(
        "`id` is optional, but the step `picked` requires `id`") == true)
  }

  @Test(arguments: [
    ("{ scheme: demo, holdAtMost: 0 }", "`holdAtMost` must be a whole number from 1 to 16, not `0`"),
    ("{ scheme: demo, holdAtMost: 17 }", "`holdAtMost` must be a whole number"),
    ("{ scheme: demo, holdAtMost: 2 }", "`holdAtMost` has no effect, because no link has `requires`"),
    ("{ scheme: demo, else: nothing }", "there is no step `nothing`"),
    ("{ scheme: demo, requires: { param: id, is: 1 } }", "`requires` can test facts and flows, but not the link's params"),
  ]) func `linkDefaults that have no effect are reported`(defaults: String, message: String) {
    #expect(said("linkDefaults: \(defaults)\nlinks: [{ path: /a, send: started }]").contains { $0.contains(message) })
  }

  @Test func `notifications declare their values and their handling`() throws {
    let text = """
      links: [{ scheme: demo, path: "/items/{id}", send: picked }]
      notifications:
        values: { id: [/data/id, /id], other: /o }
        take:
          - { category: item, send: picked }
          - { when: { param: other, is: a }, how: [foreground, silent, { action: go }], send: started, to: root }
          - { how: reply, link: "demo://items/{id}" }
        suppress:
          - { how: foreground, when: { visible: detail, with: { id: $id } } }
      """
    let notifications = try definition(Demo.text(Self.main) + text).notifications
    #expect(
      notifications.values == [
        "id": .init(["/data/id", "/id"], as: ParameterDefinition(.integer)), "other": .init(["/o"], as: ParameterDefinition(.string)),
      ])
    #expect(
      notifications.take == [
        .init(category: "item", .step(StepTemplate("picked", with: ["id": .reference(.param("id"))]))),
        .init(
          when: .param("other", .equals(.literal("a"))), how: [.foreground, .silent, .action("go")],
          .step(StepTemplate("started", to: .root))),
        .init(how: [.reply], .link(.template([.text("demo://items/"), .reference(.param("id"))]))),
      ])
    #expect(
      notifications.suppress == [.init(how: [.foreground], when: .visible(["detail"], with: ["id": .reference(.param("id"))]))])
  }

  @Test(arguments: [
    ("values: { reply: /r }", "a value cannot be named `reply`"), ("values: { id: data }", "a JSON Pointer must begin with `/`"),
    ("values: [/a]", "`values` must be a map of names and JSON Pointers"),
    ("take: [{ category: a }]", "an element of `take` needs `send` or `link`"),
    ("take: [{ send: started, link: \"demo://a\" }]", "either `send` or `link`, not both"),
    ("take: [{ link: \"demo://a\", with: { id: 1 } }]", "`with` is allowed only with `send`"),
    ("take: [{ how: foregrund, send: started }]", "did you mean `foreground`?"),
    ("take: [{ how: [], send: started }]", "`how` needs at least one"),
    ("take: [{ how: silent, send: started, deliver: later }]", "`deliver` must be `settled`"),
    ("take: [{ send: picked, with: { id: $it } }]", "there is no param `it`"),
    ("take: [{ send: picked, with: { id: $reply } }]", "there is no param `reply`"),
    ("take: [{ how: { button: a }, send: started }]", "`how` has no member `button`"),
    ("suppress: [{ how: silently, when: { flow: main } }]", "did you mean `silent`?"),
  ]) func `a notification that has no effect is reported`(text: String, message: String) {
    #expect(said("notifications: { \(text) }").contains { $0.contains(message) })
  }

  @Test(arguments: [
    ("links: [{ scheme: demo, path: \"/{id}\", send: picked }, { scheme: demo, path: \"/{name}\", send: started }]", nil),
    (
      "links: [{ scheme: demo, path: \"/{id}\", send: picked }, { scheme: demo, path: \"/{id}\", send: picked }]",
      "this link never matches"
    ),
    (
      "links: [{ scheme: demo, path: \"/{x}\", send: started }, { scheme: demo, path: \"/{id}\", send: picked }]",
      "this link never matches"
    ),
    (
      "links: [{ scheme: demo, path: \"/a/{r...}\", send: started }, { scheme: demo, path: /a, send: started }]",
      "put a link that ends with `{name...}` last"
    ),
    ("links: [{ scheme: demo, path: \"/a/{r...}\", send: started }, { scheme: demo, path: \"/{x}/{y}\", send: started }]", nil),
    (
      "links: [{ scheme: demo, path: \"/{r...}\", send: started }, { scheme: demo, path: \"/a/{r...}\", send: started }]",
      "`{name...}` last"
    ),
    ("links: [{ scheme: demo, path: \"/a/{x?}\", send: started }, { scheme: demo, path: /a, send: started }]", "this link never matches"),
    ("links: [{ scheme: demo, path: /a, send: started }, { scheme: demo, path: \"/a/{x?}\", send: started }]", nil),
    ("links: [{ scheme: demo, path: /7, query: [id], send: picked }, { scheme: demo, path: /7, send: started }]", nil),
    ("links: [{ scheme: demo, path: \"/{id}\", send: picked }, { scheme: demo, path: /7, send: started }]", "this link never matches"),
    ("links: [{ scheme: demo, path: \"/{id}\", send: picked }, { scheme: demo, path: /new, send: started }]", nil),
    (
      "links: [{ scheme: demo, path: /a, send: started }]\nnotifications: { take: [{ link: \"demo://b\" }] }",
      "no link of the app matches this URL"
    ),
    (
      "links: [{ scheme: demo, path: \"/{id}\", send: picked }]\nnotifications: { values: { id: /id }, take: [{ link: \"demo://{id}\" }] }",
      nil
    ),
    ("notifications: { take: [{ send: started }, { category: a, send: started }] }", "this element never matches"),
    ("notifications: { take: [{ category: a, send: started }, { category: a, how: reply, send: started }] }", nil),
  ]) func `a link or notification rule that can never match causes a warning`(text: String, message: String?) {
    let found = doubts(Demo.text(Self.main) + text).filter { $0.contains("URL") || $0.contains("never matches") }
    #expect(message.map { message in found.contains { $0.contains(message) } } ?? found.isEmpty, "\(found)")
  }
}
