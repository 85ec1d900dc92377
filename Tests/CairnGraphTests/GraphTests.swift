import CairnCore
import CairnDefinition
import CairnGraph
import Foundation
import Testing

private let apps = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps").standardized

private func graph(_ app: String) throws -> Graph {
  let file = apps.appending(path: "\(app).yaml")
  return Graph(try DefinitionLoader.load(file: app, text: String(contentsOf: file, encoding: .utf8)).definition)
}

@Suite struct `A definition drawn` {
  @Test func `flows are clusters, and the arrows tell push from present`() throws {
    let shop = try graph("shop")
    #expect(shop.clusters.map(\.flow) == ["main"])
    #expect(shop.clusters.first?.screens == ["home", "loading", "product", "signUp", "terms", "welcome"])
    func place(_ screen: String) -> Graph.Place { .screen(screen, of: "main") }
    #expect(shop.arrows.contains(.init(from: place("home"), to: place("product"), label: "productIsPicked", kind: .push)))
    #expect(shop.arrows.contains(.init(from: place("product"), to: place("product"), label: "productIsPicked", kind: .push)))
    #expect(shop.arrows.contains(.init(from: place("home"), to: place("terms"), label: "termsAreRequired", kind: .present)))
    #expect(shop.arrows.contains(.init(from: .flow("main"), to: place("home"), label: "moveToProduct", kind: .back)))
    #expect(!shop.arrows.contains { $0.from == place("welcome") && $0.label == "productIsPicked" })
  }

  @Test func `a switch shows screens of its children`() throws {
    let qiita = try graph("qiita")
    #expect(qiita.clusters.map(\.flow) == ["login", "root", "search"])
    #expect(qiita.clusters.map(\.screens) == [["loginTop", "loginWeb"], [], ["safari", "searchTop"]])
    #expect(qiita.arrows.contains(.init(from: .flow("root"), to: .screen("safari", of: "search"), label: "search.webView", kind: .show)))
  }

  @Test func `what is asked before it goes, and a flow that is revealed`() throws {
    let text = """
      app: asks
      root: { flow: main }
      screens: { home: { emits: [go] }, editor: { emits: [] }, sheet: { emits: [back] } }
      steps: { go: {}, back: {}, asked: {} }
      flows:
        main:
          container: stack
          root: home
          handle: { go: { push: editor, leave: asked }, asked: { present: sheet }, back: { reveal: { flow: main } } }
      """
    let graph = Graph(try DefinitionLoader.load(file: "asks", text: text).definition)
    func place(_ screen: String) -> Graph.Place { .screen(screen, of: "main") }
    #expect(graph.arrows.contains(.init(from: place("editor"), to: place("sheet"), label: "asked", kind: .present)))
    #expect(graph.arrows.contains(.init(from: place("sheet"), to: .flow("main"), label: "back", kind: .back)))
  }

  @Test func `both texts name every screen, and names with dots are safe in Mermaid`() throws {
    let shop = try graph("shop")
    for screen in ["home", "product", "terms"] {
      #expect(shop.dot.contains("\"main/\(screen)\" [label=\"\(screen)\"]"))
      #expect(shop.mermaid.contains("[\"\(screen)\"]"))
    }
    #expect(shop.dot.contains("style=dashed, arrowhead=empty"))
    #expect(shop.mermaid.contains("|\"termsAreRequired (present)\"|"))
    let ids = try graph("qiita").mermaid.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
    #expect(ids.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || "[]()\"".contains($0) } })
  }
}
