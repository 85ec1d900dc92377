/// The nodes of a session by their ids, in the order of these.
///
/// Versions share what they have in common: a copy is a few pointers, a change costs the chunk that it touches, and what two versions
/// differ in is found without looking at the rest. As a dictionary of `Node`s it is for those who look from outside; the engine works on records.
public struct NodeTable: Sendable {
  /// Records, ascending by id, none empty.
  private(set) var chunks: [[NodeRecord]] = []
  public private(set) var count = 0
  private(set) var names = Names.none
  /// The nodes that are presented, ascending.
  private(set) var modals: [NodeID] = []
  /// How many instances of each flow live and have not ended, by the number of its name.
  private var alive: [Int32] = []
  private var children = Slab<[NodeID]>()
  private var details = Slab<NodeDetails>()
  /// How many slots are in use, to know when to pack.
  private var usedSlots = (children: 0, details: 0)

  static let chunkSize = 32

  public init() {}

  // MARK: reading

  /// Where a record stands.
  struct Place {
    var chunk: Int
    var index: Int
  }

  /// Where the node is; nil: it is not here.
  func place(of id: NodeID) -> Place? {
    let number = Int32(truncatingIfNeeded: id.number)
    var chunk = chunks.count - 1
    guard chunk >= 0 else { return nil }
    if chunk > 0, number < chunks[chunk][0].id {
      var low = 0
      while low < chunk {
        let middle = (low + chunk + 1) / 2
        if chunks[middle][0].id <= number { low = middle } else { chunk = middle - 1 }
      }
    }
    let records = chunks[chunk]
    // Ids rise at least by one from record to record, so this is the last place where it can be; mostly it is there.
    let last = min(Int(number) - Int(records[0].id), records.count - 1)
    guard last >= 0 else { return nil }
    var (low, high) = (0, last)
    if records[last].id == number { return Place(chunk: chunk, index: last) }
    while low < high {
      let middle = (low + high) / 2
      if records[middle].id < number { low = middle + 1 } else { high = middle }
    }
    return records[low].id == number ? Place(chunk: chunk, index: low) : nil
  }

  /// The record of a node; nil: it is not here.
  func record(_ id: NodeID) -> NodeRecord? {
    guard let place = place(of: id) else { return nil }
    return chunks[place.chunk][place.index]
  }

  /// A record that is known to be of this table.
  subscript(place: Place) -> NodeRecord { chunks[place.chunk][place.index] }

  func contains(_ id: NodeID) -> Bool { place(of: id) != nil }

  func children(of record: NodeRecord) -> [NodeID] { record.children < 0 ? [] : children[record.children] }

  func children(of id: NodeID) -> [NodeID] { record(id).map(children(of:)) ?? [] }

  func details(of record: NodeRecord) -> NodeDetails { record.details < 0 ? .none : details[record.details] }

  /// nil: it has none.
  func storedDetails(of record: NodeRecord) -> NodeDetails? { record.details < 0 ? nil : details[record.details] }

  /// Whether a node carries the authorize URL with this OAuth state.
  func carries(authorization: String) -> Bool {
    records.contains { $0.details >= 0 && details[$0.details].authorization == authorization }
  }

  func details(of id: NodeID) -> NodeDetails { record(id).map(details(of:)) ?? .none }

  /// The screen's name; for a container the flow's.
  func name(of record: NodeRecord) -> String { names.texts[Int(record.name)] }

  func flow(of record: NodeRecord) -> String? { record.flow < 0 ? nil : names.texts[Int(record.flow)] }

  /// Whether an instance of the flow lives and has not ended.
  func isAlive(flow name: String) -> Bool {
    guard let number = names.number(name), number < alive.count else { return false }
    return alive[Int(number)] > 0
  }

  /// All records, ascending by id.
  var records: some Sequence<NodeRecord> { chunks.lazy.joined() }

  // MARK: writing

  /// Puts a node that was not here before behind all others.
  mutating func append(_ record: NodeRecord, details new: NodeDetails? = nil) {
    var record = record
    if let new { record.details = put(new) }
    if chunks.isEmpty || chunks[chunks.count - 1].count >= Self.chunkSize {
      var chunk: [NodeRecord] = []
      chunk.reserveCapacity(Self.chunkSize)
      chunk.append(record)
      chunks.append(chunk)
    } else {
      extend(chunks.count - 1, with: record)
    }
    count += 1
    entered(record)
  }

  /// A shared chunk is copied once, with room for all that it may hold, and not again when it grows.
  private mutating func extend(_ index: Int, with record: NodeRecord) {
    if chunks[index].capacity < Self.chunkSize { chunks[index].reserveCapacity(Self.chunkSize) }
    chunks[index].append(record)
  }

  /// Changes what a record says of its node; not for its slots, its presented node, its flow or its end.
  mutating func update(_ id: NodeID, _ change: (inout NodeRecord) -> Void) {
    guard let place = place(of: id) else { return }
    change(&chunks[place.chunk][place.index])
  }

  mutating func setChildren(_ new: [NodeID], of id: NodeID) {
    guard let place = place(of: id) else { return }
    let slot = chunks[place.chunk][place.index].children
    if slot >= 0 { usedSlots.children -= 1 }
    chunks[place.chunk][place.index].children = new.isEmpty ? -1 : children.append(new)
    if !new.isEmpty { usedSlots.children += 1 }
    packIfSparse()
  }

  /// Adds a last child.
  mutating func appendChild(_ child: NodeID, to id: NodeID) {
    let old = children(of: id)
    let new = [NodeID](unsafeUninitializedCapacity: old.count + 1) { buffer, count in
      _ = buffer.update(fromContentsOf: old)
      buffer.initializeElement(at: old.count, to: child)
      count = old.count + 1
    }
    setChildren(new, of: id)
  }

  mutating func setDetails(_ new: NodeDetails, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if chunks[place.chunk][place.index].details >= 0 { usedSlots.details -= 1 }
    chunks[place.chunk][place.index].details = new.isEmpty ? -1 : put(new)
    packIfSparse()
  }

  mutating func setContent(_ content: Content?, of id: NodeID) {
    guard let record = record(id) else { return }
    setDetails(details(of: record).with(content: content), of: id)
  }

  /// Hangs a modal on a node, or takes it off; the modal's own record is not touched.
  mutating func setPresented(_ modal: NodeID?, on id: NodeID) {
    guard let place = place(of: id) else { return }
    if let old = chunks[place.chunk][place.index].presentedID { modals.removeAll { $0 == old } }
    chunks[place.chunk][place.index].presented = NodeRecord.number(modal)
    guard let modal else { return }
    let index = modals.firstIndex { modal < $0 } ?? modals.count
    modals.insert(modal, at: index)
  }

  /// Marks a flow as one that hears nothing more.
  mutating func end(_ id: NodeID) {
    guard let place = place(of: id), !chunks[place.chunk][place.index].isEnded else { return }
    chunks[place.chunk][place.index].isEnded = true
    count(chunks[place.chunk][place.index].flow, -1)
  }

  /// Takes a node out; who points at it is not touched, but for the list of its owner's flows.
  mutating func remove(_ id: NodeID) {
    guard let place = place(of: id) else { return }
    let record = chunks[place.chunk][place.index]
    left(record)
    chunks[place.chunk].remove(at: place.index)
    count -= 1
    join(place.chunk)
    packIfSparse()
  }

  /// The flows that a flow contributed and that are still here, oldest first.
  func flows(ownedBy record: NodeRecord) -> [NodeID] {
    var found: [NodeID] = []
    var next = record.owned.first
    while next != 0, let flow = self.record(NodeID(Int(next))) {
      found.append(flow.nodeID)
      next = flow.owned.next
    }
    return found
  }

  /// Refers to names by the numbers that `names` gives them; what it lacks is added behind.
  mutating func adopt(_ names: Names) {
    guard !self.names.isBuilt(on: names) else { return }
    let missing = self.names.texts.filter { names.number($0) == nil }
    let all = missing.isEmpty ? names : Names(missing, extending: names)
    let numbers = self.names.texts.map { all.number($0) ?? -1 }
    self.names = all
    alive = []
    for chunk in chunks.indices {
      for index in chunks[chunk].indices {
        chunks[chunk][index].name = numbers[Int(chunks[chunk][index].name)]
        let flow = chunks[chunk][index].flow
        guard flow >= 0 else { continue }
        chunks[chunk][index].flow = numbers[Int(flow)]
        if !chunks[chunk][index].isEnded { count(numbers[Int(flow)], +1) }
      }
    }
  }

  /// The number of a name, which is made if there is none.
  mutating func number(_ name: String) -> Int32 {
    if let number = names.number(name) { return number }
    names = Names([name], extending: names)
    return Int32(names.texts.count - 1)
  }

  // MARK: its own books

  private mutating func put(_ new: NodeDetails) -> Int32 {
    usedSlots.details += 1
    return details.append(new)
  }

  private mutating func count(_ flow: Int32, _ difference: Int32) {
    guard flow >= 0 else { return }
    while alive.count <= flow { alive.append(0) }
    alive[Int(flow)] += difference
  }

  /// A record has come in.
  private mutating func entered(_ record: NodeRecord) {
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, +1) }
    guard let owner = record.ownerID, let ownerRecord = self.record(owner) else { return }
    let last = ownerRecord.owned.last
    update(record.nodeID) {
      $0.owned.previous = last
      $0.owned.next = 0
    }
    if last == 0 {
      update(owner) { $0.owned.first = record.id }
    } else {
      update(NodeID(Int(last))) { $0.owned.next = record.id }
    }
    update(owner) { $0.owned.last = record.id }
  }

  /// A record is about to go.
  private mutating func left(_ record: NodeRecord) {
    if record.children >= 0 { usedSlots.children -= 1 }
    if record.details >= 0 { usedSlots.details -= 1 }
    if let modal = record.presentedID { modals.removeAll { $0 == modal } }
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, -1) }
    let (previous, next) = (record.owned.previous, record.owned.next)
    if previous != 0 { update(NodeID(Int(previous))) { $0.owned.next = next } }
    if next != 0 { update(NodeID(Int(next))) { $0.owned.previous = previous } }
    guard let owner = record.ownerID else { return }
    update(owner) {
      if $0.owned.first == record.id { $0.owned.first = next }
      if $0.owned.last == record.id { $0.owned.last = previous }
    }
  }

  /// Small neighbours become one chunk, so that their number stays in proportion to the nodes.
  private mutating func join(_ index: Int) {
    guard !chunks[index].isEmpty else {
      chunks.remove(at: index)
      return
    }
    for left in [index - 1, index] where left >= 0 && left + 1 < chunks.count {
      guard chunks[left].count + chunks[left + 1].count <= Self.chunkSize / 2 else { continue }
      chunks[left] += chunks[left + 1]
      chunks.remove(at: left + 1)
      return
    }
  }

  /// Writes the slabs anew once most of what is in them is of no use any more: each change pays for one place of it.
  private mutating func packIfSparse() {
    if children.count > 2 * usedSlots.children + 64 {
      let old = children
      children = Slab()
      for chunk in chunks.indices {
        for index in chunks[chunk].indices where chunks[chunk][index].children >= 0 {
          chunks[chunk][index].children = children.append(old[chunks[chunk][index].children])
        }
      }
    }
    if details.count > 2 * usedSlots.details + 64 {
      let old = details
      details = Slab()
      for chunk in chunks.indices {
        for index in chunks[chunk].indices where chunks[chunk][index].details >= 0 {
          chunks[chunk][index].details = details.append(old[chunks[chunk][index].details])
        }
      }
    }
  }

  /// Puts a record in at its id's place, wherever that is: for tables that are filled from outside.
  fileprivate mutating func insert(_ record: NodeRecord) {
    guard let last = chunks.last?.last, last.id > record.id else { return append(record) }
    let chunk = (chunks.firstIndex { $0[0].id > record.id } ?? chunks.count) - 1
    if chunk < 0 {
      chunks.insert([record], at: 0)
    } else {
      let index = chunks[chunk].firstIndex { $0.id > record.id } ?? chunks[chunk].count
      chunks[chunk].insert(record, at: index)
      if chunks[chunk].count > Self.chunkSize {
        let half = chunks[chunk].count / 2
        chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
        chunks[chunk].removeSubrange(half...)
      }
    }
    count += 1
    entered(record)
  }
}

// As a dictionary, for those who look from outside.
extension NodeTable {
  public var keys: [NodeID] { records.map(\.nodeID) }
  public var values: [Node] { records.map(node) }

  public subscript(id: NodeID) -> Node? {
    get { record(id).map(node) }
    set {
      guard let newValue else { return remove(id) }
      write(newValue)
    }
  }

  private func node(_ record: NodeRecord) -> Node {
    let details = details(of: record)
    var node = Node(
      id: record.nodeID, kind: record.kind, name: name(of: record), flow: flow(of: record), owner: record.ownerID, parent: record.parentID)
    node.children = children(of: record)
    node.selected = record.selectedIndex
    node.presented = record.presentedID
    node.style = record.style
    node.on = record.onID
    node.params = details.params
    node.content = details.content
    node.ended = record.isEnded
    node.listen = record.listen
    node.left = details.left
    node.authorization = details.authorization
    return node
  }

  private mutating func write(_ node: Node) {
    let before = record(node.id)
    let flow = node.flow.map { number($0) } ?? -1
    if let before, before.flow != flow || before.owner != NodeRecord.number(node.owner) {
      // It has another place among the flows: taken out and put in again.
      let kept = children(of: before)
      remove(node.id)
      insert(NodeRecord(id: node.id, kind: node.kind, name: 0, flow: flow, owner: node.owner, parent: node.parent))
      setChildren(kept, of: node.id)
    } else if before == nil {
      insert(NodeRecord(id: node.id, kind: node.kind, name: 0, flow: flow, owner: node.owner, parent: node.parent))
    }
    let name = number(node.name)
    update(node.id) {
      $0.kind = node.kind
      $0.name = name
      $0.parent = NodeRecord.number(node.parent)
      $0.selected = node.selected.map { Int32(clamping: $0) } ?? -1
      $0.style = node.style
      $0.on = NodeRecord.number(node.on)
      $0.listen = node.listen
    }
    if node.ended { end(node.id) }
    if self.children(of: node.id) != node.children { setChildren(node.children, of: node.id) }
    if record(node.id)?.presentedID != node.presented { setPresented(node.presented, on: node.id) }
    let details = NodeDetails(params: node.params, content: node.content, left: node.left, authorization: node.authorization)
    if self.details(of: node.id) != details { setDetails(details, of: node.id) }
  }
}

extension NodeTable: Hashable {
  public static func == (one: NodeTable, other: NodeTable) -> Bool { one.count == other.count && one.difference(from: other).isEmpty }

  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension NodeTable: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let nodes = try [NodeID: Node](from: decoder)
    for id in nodes.keys.sorted() { self[id] = nodes[id] }
  }

  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: values.map { ($0.id, $0) }).encode(to: encoder)
  }
}
