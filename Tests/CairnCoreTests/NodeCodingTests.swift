import CairnCore
import Foundation
import Testing

@Suite struct `A node as it is stored` {
  private static let plain = Node(id: NodeID(2), kind: .screen, name: "home", owner: NodeID(1), parent: NodeID(1))

  private static var full: Node {
    var node = Node(id: NodeID(7), kind: .tabs, name: "dashboard", flow: "dashboard", owner: NodeID(1), parent: NodeID(2))
    node.children = [NodeID(8), NodeID(9)]
    node.selected = 1
    node.presented = NodeID(10)
    node.style = .fullScreen
    node.on = NodeID(3)
    node.params = ["productId": 7]
    node.content = Content(status: .loaded, value: ["count": 1])
    node.ended = true
    node.listen = Listen(hidden: true)
    node.left = StepTemplate("closed", with: ["id": .literal(1)])
    node.leave = .ask(StepTemplate("asked", with: ["id": .literal(1)]))
    node.authorization = "nonce"
    return node
  }

  private static var staying: Node {
    var node = plain
    node.leave = .refuse
    return node
  }

  @Test(arguments: [plain, full, staying])
  func `is read back as it was`(node: Node) throws {
    #expect(try JSONDecoder().decode(Node.self, from: try JSONEncoder().encode(node)) == node)
  }

  @Test func `leaves out what is as it was at birth`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(Self.plain), as: UTF8.self)
    #expect(text == #"{"id":"n2","kind":"screen","name":"home","owner":"n1","parent":"n1"}"#)
  }

  @Test func `is read where everything was written out, as it was at first`() throws {
    let text = """
      {"id":"n2","kind":"screen","name":"home","owner":"n1","parent":"n1","children":[],"params":{},"ended":false,
      "listen":{"hidden":false,"dismissed":false}}
      """
    #expect(try JSONDecoder().decode(Node.self, from: Data(text.utf8)) == Self.plain)
  }
}
