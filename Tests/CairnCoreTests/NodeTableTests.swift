import CairnTesting
import Testing

@testable import CairnCore

/// Compares the table of nodes with a plain dictionary.
@Suite struct `The table of nodes` {
  private static let limit = 400

  /// A node in which each optional member is present at random.
  private static func node(_ id: NodeID, _ chance: inout Chance) -> Node {
    let isFlow = chance.isHeads(oneIn: 3)
    let name = "name\(chance.below(5))"
    var node = Node(
      id: id, kind: isFlow ? chance.pick([.stack, .tabs, .oneOf, .split]) : chance.pick([.screen, .alert]), name: name,
      flow: isFlow ? name : nil, owner: chance.isHeads(oneIn: 4) ? nil : NodeID(1 + chance.below(limit)), parent: nil)
    node.selected = chance.isHeads(oneIn: 3) ? chance.below(4) : nil
    node.style = chance.isHeads(oneIn: 4) ? chance.pick([.sheet, .fullScreen, .alert]) : nil
    node.presented = chance.isHeads(oneIn: 5) ? NodeID(1 + chance.below(limit)) : nil
    node.on = chance.isHeads(oneIn: 5) ? NodeID(1 + chance.below(limit)) : nil
    node.params = chance.isHeads(oneIn: 2) ? ["id": .integer(chance.below(9))] : [:]
    node.content = chance.isHeads(oneIn: 4) ? Content(status: .loaded, value: .integer(chance.below(9))) : nil
    node.isEnded = isFlow && chance.isHeads(oneIn: 5)
    node.listen = Listen(hidden: chance.isHeads(oneIn: 3), dismissed: chance.isHeads(oneIn: 3))
    node.steps.removed = chance.isHeads(oneIn: 6) ? StepTemplate("left") : nil
    node.authorization = chance.isHeads(oneIn: 9) ? "nonce" : nil
    return node
  }

  /// Changes, inserts, removes or moves a node in both the table and the dictionary.
  private static func change(_ table: inout NodeTable, _ model: inout [NodeID: Node], _ chance: inout Chance) {
    let id = NodeID(1 + chance.below(limit))
    switch chance.below(6) {
    case 0, 1:
      // The engine also removes a node without its children, which stay in the table without a parent.
      for child in model[id]?.children ?? [] {
        table.unlink(child)
        table.update(child) { $0.parent = 0 }
        model[child]?.parent = nil
      }
      table.remove(id)
      unlink(id, &model)
      model[id] = nil
    case 2 where model[id] != nil:
      let content = Content(status: .loaded, value: .integer(chance.below(99)))
      table.setContent(content, of: id)
      model[id]?.content = content
    case 3 where model[id] != nil:
      let parent = NodeID(1 + chance.below(limit))
      guard parent != id, model[parent] != nil else { return }
      table.unlink(id)
      unlink(id, &model)
      table.update(id) { $0.parent = NodeRecord.number(parent) }
      table.link(id, to: parent)
      model[id]?.parent = parent
      model[parent]?.children.append(id)
    default:
      var node = node(id, &chance)
      (node.parent, node.children) = (model[id]?.parent, model[id]?.children ?? [])
      table[id] = node
      model[id] = node
    }
  }

  private static func unlink(_ id: NodeID, _ model: inout [NodeID: Node]) {
    guard let parent = model[id]?.parent else { return }
    model[parent]?.children.removeAll { $0 == id }
  }

  private static func naive(_ now: [NodeID: Node], since past: [NodeID: Node]) -> NodeDifference {
    NodeDifference(
      added: now.keys.filter { past[$0] == nil }.sorted(), removed: past.keys.filter { now[$0] == nil }.sorted(),
      changed: now.keys.filter { past[$0] != nil && past[$0] != now[$0] }.sorted())
  }

  @Test(arguments: 0..<8) func `the table equals the dictionary after any insertion, change and removal`(seed: UInt64) {
    var chance = Chance(seed: seed)
    var (table, model) = (NodeTable(), [NodeID: Node]())
    for round in 0..<1_500 {
      Self.change(&table, &model, &chance)
      guard round % 100 == 0 else { continue }
      #expect(table.count == model.count)
      #expect(table.keys == model.keys.sorted())
      #expect(table.values == model.keys.sorted().map { model[$0] })
    }
    for number in 0...(Self.limit + 1) { #expect(table[NodeID(number)] == model[NodeID(number)]) }
  }

  @Test(arguments: 10..<18) func `versions are independent, and the difference of any two is known`(seed: UInt64) {
    var chance = Chance(seed: seed)
    var versions = [(table: NodeTable(), model: [NodeID: Node]())]
    for _ in 0..<60 {
      // Each new version starts from a random earlier version, and shares the unchanged nodes with it.
      var next = chance.pick(versions)
      for _ in 0..<(1 + chance.below(20)) { Self.change(&next.table, &next.model, &chance) }
      versions.append(next)
    }
    for (table, model) in versions { #expect(table.values == model.keys.sorted().map { model[$0] }) }
    for _ in 0..<300 {
      let (now, past) = (chance.pick(versions), chance.pick(versions))
      #expect(NodeDifference(from: past.table, to: now.table) == Self.naive(now.model, since: past.model))
      #expect((now.table == past.table) == (now.model == past.model))
    }
  }

  @Test func `a version that is read while other threads change copies of it stays the same`() async {
    var chance = Chance(seed: 5)
    var (table, model) = (NodeTable(), [NodeID: Node]())
    for _ in 0..<600 { Self.change(&table, &model, &chance) }
    let (base, expected) = (table, model)
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<8 {
        group.addTask {
          var (chance, table, model) = (Chance(seed: UInt64(seed) + 100), base, expected)
          for _ in 0..<600 { Self.change(&table, &model, &chance) }
          return table.values == model.keys.sorted().map { model[$0] }
            && NodeDifference(from: base, to: table) == Self.naive(model, since: expected)
            && base.values == expected.keys.sorted().map { expected[$0] }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `overwritten contents are removed while the table is changed`() {
    var table = NodeTable()
    let ids = (1...40).map { NodeID($0) }
    for id in ids { table[id] = Node(id: id, kind: .stack, name: "main", flow: "main", owner: nil, parent: nil) }
    let first = table
    for round in 1...200 {
      for id in ids { table.setContent(Content(status: .loaded, value: .integer(round)), of: id) }
    }
    for record in table.records {
      #expect(table.details(of: record).content?.value == 200)
      // 8,000 contents were written, of which 40 are in use.
      #expect(record.details < 40 * 5)
    }
    #expect(first.values.allSatisfy { $0.content == nil })
    #expect(NodeDifference(from: first, to: table).changed == ids)
  }

  @Test(arguments: 30..<38) func `the list of written nodes contains every node in which two versions differ`(seed: UInt64) {
    var chance = Chance(seed: seed)
    var (table, model) = (NodeTable(), [NodeID: Node]())
    for _ in 0..<300 { Self.change(&table, &model, &chance) }
    for count in [0, 1, 3, 8, 9, 40] {
      let old = table
      let edited = UnsafeMutablePointer<EditedNodes>.allocate(capacity: 1)
      edited.initialize(to: EditedNodes())
      table.edited = edited
      for _ in 0..<count { Self.change(&table, &model, &chance) }
      table.edited = nil
      var all = edited.move()
      edited.deallocate()
      all.sort()
      let ids = (0..<all.count).map { all[$0].id }
      #expect(ids == Set(ids).sorted())
      let difference = NodeDifference(from: old, to: table)
      let noted = Set(ids.map { NodeID(Int($0)) })
      #expect(noted.isSuperset(of: difference.added + difference.removed + difference.changed))
      for index in 0..<all.count {
        let id = NodeID(Int(all[index].id))
        guard let most = all[index].keptChildren, let now = table[id], let past = old[id] else { continue }
        let kept = min(Int(most), now.children.count, past.children.count)
        #expect(now.children.prefix(kept) == past.children.prefix(kept))
      }
    }
  }

  @Test func `children keep their order when any of them is removed`() {
    var table = NodeTable()
    for number in 1...5 {
      table[NodeID(number)] = Node(
        id: NodeID(number), kind: .stack, name: "main", flow: "main", owner: nil, parent: number == 1 ? nil : NodeID(1))
    }
    func children() -> [Int] { table.children(of: NodeID(1)).map(\.number) }
    for number in 2...5 { table.link(NodeID(number), to: NodeID(1)) }
    #expect(children() == [2, 3, 4, 5])
    table.unlink(NodeID(4))
    table.unlink(NodeID(4))
    #expect(children() == [2, 3, 5])
    table.remove(NodeID(2))
    table.remove(NodeID(5))
    #expect(children() == [3])
    table.link(NodeID(4), to: NodeID(1))
    #expect(children() == [3, 4] && table.record(NodeID(1))?.childCount == 2)
    #expect(table.record(NodeID(4)).map { Siblings.index(of: $0, in: table) } == 1)
    #expect(table.record(NodeID(1)).flatMap { Siblings.child(1, of: $0, in: table) }?.nodeID == NodeID(4))
    #expect(
      table.record(NodeID(1)).map { Siblings.child(2, of: $0, in: table) == nil && Siblings.child(-1, of: $0, in: table) == nil } == true)
    // The first call succeeds. The others name too many children or an unknown node.
    let kept = [(1, 1), (2, 1), (0, 9)].map { NodeFilling.keepChildren($0, of: NodeID($1), in: &table) }
    #expect(kept == [true, false, false] && children() == [3])
    // The child is already there, does not exist, has another parent, or is added successfully.
    let added = [(3, 1), (9, 1), (4, 3), (4, 1)].map { NodeFilling.addChildren([NodeID($0)], to: NodeID($1), in: &table) }
    #expect(added == [false, false, false, true] && children() == [3, 4])
  }

  @Test func `a table that adopts other names has the same nodes, and equals the old one`() {
    var chance = Chance(seed: 7)
    var (table, model) = (NodeTable(), [NodeID: Node]())
    for _ in 0..<500 { Self.change(&table, &model, &chance) }
    let old = table
    // The names in another order, some of them missing, and two of them new.
    let names = Names(["other", "name4", "name2", "more", "name0"])
    table.adopt(names)
    #expect(table.names.isBuilt(on: names))
    #expect(table.values == old.values)
    #expect(table == old)
    #expect(NodeDifference(from: old, to: table).isEmpty)
    for number in 0..<5 { #expect(table.isAlive(flow: "name\(number)") == old.isAlive(flow: "name\(number)")) }
    #expect(!table.isAlive(flow: "more"))
    let twice = table
    table.adopt(names)
    #expect(table.names === twice.names)
  }

  @Test func `the living flows, their owners and the modals are known`() {
    var table = NodeTable()
    func flow(_ id: Int, _ name: String, owner: Int?) -> Node {
      Node(id: NodeID(id), kind: .stack, name: name, flow: name, owner: owner.map { NodeID($0) }, parent: owner.map { NodeID($0) })
    }
    for node in [flow(1, "app", owner: nil), flow(2, "a", owner: 1), flow(5, "b", owner: 1), flow(9, "a", owner: 1)] {
      table[node.id] = node
    }
    func owned() -> [NodeID] { table.record(NodeID(1)).map { OwnedFlows.all(of: $0, in: table) } ?? [] }
    #expect(owned() == [2, 5, 9].map { NodeID($0) })
    table[NodeID(2)] = nil
    #expect(owned() == [5, 9].map { NodeID($0) } && table.isAlive(flow: "a"))
    table.setEnded(true, of: NodeID(9))
    #expect(!table.isAlive(flow: "a"))
    table.setEnded(false, of: NodeID(9))
    #expect(table.isAlive(flow: "a"))
    table.setPresented(NodeID(9), on: NodeID(1))
    table.setPresented(NodeID(5), on: NodeID(9))
    #expect(table.modals == [5, 9].map { NodeID($0) })
    table[NodeID(9)] = nil
    #expect(table.modals == [NodeID(9)], "what it presented hangs nowhere; who presented it says so still")
    table.setPresented(nil, on: NodeID(1))
    #expect(!table.hasModals && owned() == [NodeID(5)])
  }

  @Test func `a table with twenty thousand nodes can be searched, compared and reduced`() {
    var table = NodeTable()
    let count = 20_000
    for number in 1...count {
      table.append(NodeRecord(id: NodeID(number), kind: .screen, name: table.number("page"), owner: nil, parent: nil))
    }
    let full = table
    #expect(table.count == count && table.chunks.chunkCount == count / NodeChunk.size)
    for number in stride(from: 1, through: count, by: 997) { #expect(table.record(NodeID(number))?.id == Int32(number)) }
    #expect(table.record(NodeID(count + 1)) == nil)
    for number in 1...count where number % 10 != 0 { table.remove(NodeID(number)) }
    #expect(table.keys == stride(from: 10, through: count, by: 10).map { NodeID($0) })
    #expect(table.chunks.chunkCount <= 4 * table.count / NodeChunk.size, "chunks are joined as they empty")
    #expect(NodeDifference(from: full, to: table).removed.count == count - count / 10)
    #expect(full.count == count && full.record(NodeID(1)) != nil)
    for number in stride(from: 10, through: count, by: 10) { table.remove(NodeID(number)) }
    #expect(table.count == 0 && table.chunks.chunkCount == 0 && table == NodeTable())
  }
}
