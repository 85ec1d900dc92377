import CairnTesting
import Testing

@testable import CairnCore

/// Values that are inserted into the paths of URLs.
@Suite struct `Values in the path of a URL` {
  private static let app = """
    app: paths
    language: 1
    compat: { emits: any, words: [show] }
    root: { flow: main }
    allowHosts: [api.example]
    screens: { home: {}, page: { params: { url: string } } }
    steps:
      load: { id: any }
      file: { id: any }
      pair: { a: string, b: string }
      search: { text: string }
      show: { url: string }
    links:
      - { path: "/show/{id}", scheme: [x], send: show, with: { url: "https://api.example/v1/{id}/rows" } }
    notifications:
      values: { id: /id }
      take: [{ category: order, link: "x://show/{id}" }]
    flows:
      main:
        stack: home
        handle:
          load: { load: { delete: "https://api.example/v1/orders/{id}" } }
          file: { load: { get: "https://api.example/v1/files/{id}.json?of={id}" } }
          pair: { load: { get: "https://api.example/v1/{a}{b}/rows" } }
          search: { load: { get: "https://api.example/v1/rows?text={text}#{text}" } }
          show: { push: page, with: { url: $url } }
    """

  private func url(_ step: String, _ params: [String: Value]) throws -> String {
    var drive = try Drive(Self.app)
    drive.step(step, params)
    guard drive.refusal == nil else {
      #expect(drive.state.effects == [])
      return drive.outcome
    }
    guard case .request(let url, _, _, _, _, _)? = drive.state.effects.first?.work else { return drive.outcome }
    return url
  }

  @Test(arguments: ["", ".", "..", "%2e", "%2E%2e", ".%2e", "%252e%252E", "%25252e.", "../admin", "a/../b", "..\\admin", "%2e%2e%2fadmin"])
  func `a load with a dot segment or an empty value in its path is rejected, however it is encoded`(value: String) throws {
    #expect(try url("load", ["id": .string(value)]) == "value-mismatch")
  }

  @Test func `any other value is one segment, percent-encoded`() throws {
    let base = "https://api.example/v1/orders/"
    for (value, segment): (Value, String) in [
      ("7", "7"), (7, "7"), ("a/b", "a%2Fb"), ("...", "..."), (".a", ".a"), ("a..", "a.."), ("%", "%25"), ("%2", "%252"),
      ("?x#y", "%3Fx%23y"),
    ] {
      #expect(try url("load", ["id": value]) == base + segment)
    }
  }

  @Test func `a segment is checked as a whole, with the text around its values`() throws {
    #expect(try url("file", ["id": ""]) == "https://api.example/v1/files/.json?of=")
    #expect(try url("file", ["id": ".."]) == "https://api.example/v1/files/...json?of=..")
    #expect(try url("pair", ["a": "", "b": "x"]) == "https://api.example/v1/x/rows")
    #expect(try url("pair", ["a": ".", "b": "."]) == "value-mismatch")
    #expect(try url("pair", ["a": "", "b": ""]) == "value-mismatch")
  }

  @Test func `a query and a fragment accept any value`() throws {
    #expect(try url("search", ["text": ""]) == "https://api.example/v1/rows?text=#")
    #expect(try url("search", ["text": "../a"]) == "https://api.example/v1/rows?text=..%2Fa#..%2Fa")
  }

  @Test func `a link and a notification insert values by the same rule`() throws {
    var drive = try Drive(Self.app)
    drive.run(.open(url: "x://show/%252e%252e"))
    #expect(drive.outcome == "value-mismatch")
    drive.run(.open(url: "x://show/7"))
    #expect(drive.sketch == "main[home, page(url: https://api.example/v1/7/rows)]")
    for (value, outcome) in [("..", "value-mismatch"), ("", "value-mismatch"), ("8", "performed")] {
      drive.run(
        .notification(
          url: nil, category: "order", tap: true, appState: .background, Action.Message(values: ["id": .string(value)])))
      #expect(drive.outcome == outcome)
    }
    #expect(drive.broken == [])
  }
}
