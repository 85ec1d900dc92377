import CairnCore
import CairnTesting
import Testing

/// The texts that a capture of a link's path matches, by the type of the param that receives it.
@Suite struct `Path of a link` {
  private static let app = """
    app: paths
    language: 1
    compat: { emits: any }
    root: { flow: main }
    sets: { colours: [red, blue] }
    screens: { home: {}, page: { params: { what: string } } }
    steps:
      item: { id: integer }
      named: { name: string }
      colour: { colour: { type: string, in: colours } }
      list: { page: optional integer }
      found: { q: string, page: optional integer }
      any: { rest: string }
      below: { rest: string }
    linkDefaults: { host: [p.example, "q.example:8443"], scheme: p }
    links:
      - { path: "/items/{id}", send: item }
      - { path: "/items/{colour}", send: colour }
      - { path: "/list/{page?}", send: list }
      - { path: /find, query: [q, page], send: found }
      - { path: "/help/{rest...}", send: below }
      - { path: "/odd/{id}", send: item }
      - { path: "/only/{name}", send: named }
      # all else
    flows:
      main:
        stack: home
        handle:
          item: { push: page, with: { what: item } }
          named: { push: page, with: { what: $name } }
          colour: { push: page, with: { what: $colour } }
          list: { push: page, with: { what: list } }
          found: { push: page, with: { what: $q } }
          below: { push: page, with: { what: $rest } }
          any: { push: page, with: { what: $rest } }
    """
  private static let withRest = app.replacing("# all else", with: "- { path: \"/{rest...}\", send: any }")

  @Test(arguments: [
    ("https://p.example/items/7", "item"), ("https://p.example/items/red", "red"), ("p://items/blue", "blue"),
    ("https://p.example/list", "list"), ("https://p.example/list/", "list"), ("https://p.example/list/2", "list"),
    ("https://p.example/find?q=a%20b", "a b"), ("https://p.example/find?q=a&page=2", "a"),
    ("https://p.example/help", ""), ("https://p.example/help/a/b%2Fc/", "a/b/c"), ("https://p.example/help?x", ""),
    ("https://q.example:8443/only/x", "x"), ("p://only/x", "x"),
  ]) func `a path is accepted by the link whose captures fit`(url: String, what: String) throws {
    var drive = try Drive(Self.app)
    drive.run(.open(url: url))
    #expect(drive.sketch == "main[home, page(what: \(what))]")
    #expect(drive.broken == [])
  }

  @Test(arguments: [
    ("https://p.example/items/green", "invalid", "id must be of type integer, not string"),
    ("https://p.example/list/x", "invalid", "page must be of type integer, not string"),
    ("https://p.example/list/1/2", "unknown-link", ""),
    ("https://p.example/find", "invalid", "q is missing; it must be of type string"),
    ("https://p.example/find?q=a&page=x", "invalid", "page must be of type integer, not string"),
    ("https://q.example/only/x", "unknown-link", ""), ("https://q.example:8444/only/x", "unknown-link", ""),
    ("https://p.example/", "unknown-link", ""), ("http://p.example/only/x", "unknown-link", ""),
  ]) func `a path that no link accepts reports the first near miss`(url: String, code: String, detail: String) throws {
    var drive = try Drive(Self.app)
    drive.run(.open(url: url))
    #expect(drive.outcome == code)
    if code == "invalid" { #expect(drive.refusal?.faults == [.init(pointer: "/url", detail: detail)]) }
    #expect(drive.sketch == "main[home]")
  }

  @Test(arguments: [
    ("https://p.example", ""), ("https://p.example/", ""), ("https://p.example/a/b", "a/b"),
    ("https://p.example/items/green", "items/green"),
    ("https://p.example/a//b", "a//b"), ("p://x", "x"), ("https://p.example/find", "find"),
  ]) func `a link that captures the rest of the path is tried last`(url: String, what: String) throws {
    var drive = try Drive(Self.withRest)
    drive.run(.open(url: url))
    #expect(drive.sketch == "main[home, page(what: \(what))]")
  }
}
