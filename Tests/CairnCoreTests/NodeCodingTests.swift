import CairnCore
import CairnStore
import Testing

@Suite struct `Stored nodes` {
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
    node.isEnded = true
    node.listen = Listen(hidden: true)
    node.steps.removed = StepTemplate("closed", with: ["id": .literal(1)])
    node.leave = Leave(when: .fact("dirty", .isTrue), ask: StepTemplate("asked", with: ["id": .literal(1)]), asksBeforeTabs: true)
    node.authorization = "nonce"
    node.resultReceiver = ResultReceiver(node: NodeID(3), then: StepTemplate("picked", with: ["id": .reference(.result(["id"]))]))
    node.isCollapsed = true
    node.isOpened = true
    return node
  }

  private static var staying: Node {
    var node = plain
    node.leave = .refuse
    return node
  }

  private static func state(of node: Node) -> State {
    var state = State()
    for id in node.children { state.nodes[id] = Node(id: id, kind: .screen, name: "child", owner: node.id, parent: node.id) }
    state.nodes[node.id] = node
    state.nextNode = (state.nodes.keys.map { $0.number }.max() ?? 0) + 1
    return state
  }

  private static func read(_ text: String) throws -> State { try StateFormat.state(Array(text.utf8), version: StateFormat.version) }

  @Test(arguments: [plain, full, staying])
  func `a node is read as it was written`(node: Node) throws {
    let state = Self.state(of: node)
    let read = try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)
    #expect(read == state)
    #expect(read.nodes[node.id] == node)
  }

  @Test func `members with their initial values are omitted`() throws {
    let text = String(decoding: StateFormat.snapshot(Self.state(of: Self.plain)), as: UTF8.self)
    #expect(text == #"{"N":3,"n":[{"i":2,"k":"screen","a":"home","o":1,"p":1}]}"#)
  }

  @Test func `a node with all members written out is read`() throws {
    let text = """
      {"N":3,"n":[{"i":2,"k":"screen","a":"home","f":null,"o":1,"p":1,"c":[],"s":null,"m":null,"y":null,"n":null,"q":{},"v":null,"e":false,
      "h":false,"d":false,"level":null,"waits":false,"l":{"hidden":false,"dismissed":false},"x":null,"g":null,"Q":null,"z":null}]}
      """
    #expect(try Self.read(text.replacing("\n", with: "")) == Self.state(of: Self.plain))
  }
}
