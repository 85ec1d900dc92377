import CairnCore
import CairnTesting
import Testing

/// The normal form of link URLs (RFC 3986, 6.2), as the language reference describes it.
@Suite struct `Normal form of link URLs` {
  private static let links = """
    app: links
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, item: { params: { id: string } } }
    steps: { item: { id: string }, start: {} }
    flows: { main: { stack: home, handle: { item: { push: item, with: { id: $id } }, start: { push: home } } } }
    links:
      - { host: a.example, scheme: [app], path: "/items/{id}", send: item }
      - { host: a.example, scheme: [app], path: /, send: start }
      - { host: both.example, scheme: [https, http], path: "/items/{id}", send: item }
    """

  private func end(of url: String) throws -> String {
    var drive = try Drive(Self.links)
    drive.run(.open(url: url))
    return drive.refusal == nil ? drive.sketch : drive.outcome
  }

  @Test(arguments: [
    "https://a.example/items/7", "HTTPS://A.Example/items/7", "https://a.example:443/items/7", "https://a.example:/items/7",
    "https://a.example/items/7/", "https://a.example:443/items/7/?x=1#y", "https://a.example/%69tems/7", "https://a.example/./items/7",
    "https://a.example/x/../items/7", "https://a.example/items/x/%2e%2e/7", "https://a.example/items/7/.", "https://a.example/../items/7",
    "app://items/7", "app://items/7/", "APP://items/7", "app:///items/7", "app:///items/7/", "app://items/./7",
    "http://both.example/items/7", "http://both.example:80/items/7/", "https://both.example:443/items/7",
    "app:items/7", "app:/items/7", "app:items/7/", "App:/x/../items/7?x#y", "https://a.example:0443/items/7",
    "https://a.example:000/items/7",
    " https://a.example/items/7", "https://a.example/items/7\n", "\r\n\t app:items/7 \u{0}", "https://a%2Eexample/items/7",
    "https://a\u{3002}example/items/7", "https://a.example/items/7?utm=50%off", "https://a.example/items/7?a=%E9&%zz=%00&b",
  ])
  func `equivalent URLs are accepted by the same link`(url: String) throws { #expect(try end(of: url) == "main[home, item(id: 7)]") }

  @Test(arguments: [
    "https://a.example", "https://a.example/", "https://a.example:443", "https://a.example?x", "app://", "app:///", "app:", "app:/",
    "app:?x",
  ])
  func `a URL may have no path`(url: String) throws { #expect(try end(of: url) == "main[home, home]") }

  @Test(arguments: [
    "http://a.example/items/7", "http://a.example:80/items/7", "http://a.example:443/items/7", "https://a.example:80/items/7",
    "https://a.example:8443/items/7", "https://b.example/items/7", "https://a.example.:443/items/7", "https://user@a.example/items/7",
    "https://a.example/items", "https://a.example/items/7/8", "https://a.example/items//7", "https://a.example//items/7",
    "https://a.example/items/7//", "https://a.example/Items/7", "https://a.example/items/%zz", "app://Items/7", "app:Items/7", "app:items",
    "https:a.example/items/7",
    "https:/a.example/items/7", "https://a.example:65536/items/7", "https://a.example:0x1bb/items/7", "https://a.example%3A443/items/7",
    "https://a .example/items/7", "1pp:items/7", ":items/7", "",
    "other://items/7", "//a.example/items/7", "/items/7", "both.example/items/7", "https:///items/7",
  ])
  func `a URL that is not equivalent is another URL`(url: String) throws { #expect(try end(of: url) == "unknown-link") }

  private static let international = links.replacing("host: a.example", with: "host: [xn--bcher-kva.example, xn--r8jz45g.xn--zckzah]")

  @Test(arguments: [
    "https://xn--bcher-kva.example/items/7", "https://XN--Bcher-kva.example/items/7", "https://bücher.example/items/7",
    "https://BÜCHER.example:443/items/7", "https://b\u{75}\u{308}cher.example/items/7", "https://b%C3%BCcher.example/items/7",
    "https://例え.テスト/items/7", "https://例え。テスト/items/7", "https://xn--r8jz45g.テスト/items/7",
  ])
  func `an international host is accepted as people write it`(url: String) throws {
    var drive = try Drive(Self.international)
    drive.run(.open(url: url))
    #expect(drive.sketch == "main[home, item(id: 7)]")
  }

  @Test(arguments: ["https://bucher.example/items/7", "https://xn--bcher-kvb.example/items/7", "https://bücher.example:8443/items/7"])
  func `a host with other letters is another host`(url: String) throws {
    var drive = try Drive(Self.international)
    drive.run(.open(url: url))
    #expect(drive.outcome == "unknown-link")
  }
}

/// The encoding of a link's query (WHATWG URL, 5.1).
@Suite struct `Query of a link` {
  private static let app = """
    app: query
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    screens: { home: {}, page: { params: { text: string }, emits: [again] } }
    steps: { begin: , find: { q: string }, again: { q: string } }
    flows: { main: { stack: [], handle: { begin: { set: [home] }, find: { push: page, with: { text: $q } } } } }
    links: [{ host: a.example, scheme: app, path: /find, query: [q], send: find }]
    notifications:
      values: { q: /q }
      take: [{ category: find, link: "app://find?q={q}" }]
    """

  @Test(arguments: [
    ("q=red+shoes", "red shoes"), ("q=red%20shoes", "red shoes"), ("q=1%2B1", "1+1"), ("q=a%2bb+c", "a+b c"), ("q=%C3%A9", "é"),
    ("q=é", "é"),
    ("q=", ""), ("x&q=a&q=b", "a"), ("q=a=b", "a=b"), ("%71=a", "a"), ("%zz=%zz&q=a&r=%FF", "a"), ("&&q=a&", "a"), ("a+b=c&q=d", "d"),
  ]) func `a plus is a space, an escaped plus is a plus, and items without a reader may contain anything`(query: String, text: String)
    throws
  {
    for start in ["https://a.example/find?", "app:find?"] {
      var drive = try Drive(Self.app)
      drive.run(.open(url: start + query))
      #expect(drive.sketch == "main[home, page(text: \(text))]")
    }
  }

  @Test(arguments: ["q=50%", "q=%E9", "q=%zz", "q=a%00", "q=%80"])
  func `an item that the link reads must be encoded, and the refusal names it`(query: String) throws {
    var drive = try Drive(Self.app)
    drive.run(.open(url: "app:find?" + query))
    #expect(drive.outcome == "invalid")
    #expect(drive.refusal?.faults == [.init(pointer: "/url", detail: "q must be percent-encoded UTF-8")])
  }

  @Test(arguments: ["a b", "1+1", "50%", "a&b=c", "é#?", "+"]) func `a value in a template of a URL is the same text for the link`(
    text: String
  ) throws {
    var drive = try Drive(Self.app)
    drive.run(
      drive.reducer.definition.notifications.action(for: ["category": "find", "q": .string(text)], tap: true, appState: .background))
    #expect(drive.sketch == "main[home, page(text: \(text))]")
  }
}
