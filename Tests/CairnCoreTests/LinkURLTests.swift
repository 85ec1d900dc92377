import CairnCore
import CairnTesting
import Testing

/// The normal form of link URLs (RFC 3986, 6.2), as the language reference describes it.
@Suite struct `Normal form of link URLs` {
  private static let links = """
    app: links
    root: { flow: main }
    screens: { home: {}, item: { params: { id: string } } }
    steps: { item: { id: string }, start: {} }
    flows: { main: { container: stack, root: home, handle: { item: { push: item, with: { id: $id } }, start: { push: home } } } }
    links:
      - { host: a.example, schemes: [app], path: "/items/{id}", step: item }
      - { host: a.example, schemes: [app], path: /, step: start }
      - { host: both.example, schemes: [https, http], path: "/items/{id}", step: item }
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
  ])
  func `equivalent URLs are accepted by the same link`(url: String) throws { #expect(try end(of: url) == "main[home, item(id: 7)]") }

  @Test(arguments: ["https://a.example", "https://a.example/", "https://a.example:443", "https://a.example?x", "app://", "app:///"])
  func `a URL may have no path`(url: String) throws { #expect(try end(of: url) == "main[home, home]") }

  @Test(arguments: [
    "http://a.example/items/7", "http://a.example:80/items/7", "http://a.example:443/items/7", "https://a.example:80/items/7",
    "https://a.example:8443/items/7", "https://b.example/items/7", "https://a.example.:443/items/7", "https://user@a.example/items/7",
    "https://a.example/items", "https://a.example/items/7/8", "https://a.example/items//7", "https://a.example//items/7",
    "https://a.example/items/7//", "https://a.example/Items/7", "https://a.example/items/%zz", "app://Items/7", "app:items/7",
    "other://items/7", "//a.example/items/7", "/items/7", "both.example/items/7", "https:///items/7",
  ])
  func `a URL that is not equivalent is another URL`(url: String) throws { #expect(try end(of: url) == "unknown-link") }
}
