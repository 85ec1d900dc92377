/// The nodes of a session by their ids, in the order of these.
///
/// Versions share what they have in common: a copy is a few pointers, a change costs the chunk that it touches, and what two versions
/// differ in is found without looking at the rest. As a dictionary of `Node`s it is for those who look from outside; the engine works on records.
public struct NodeTable: Sendable {
  /// Records, ascending by id, in chunks of which none is empty; the last one stands apart, since most actions change it alone.
  private var earlier: [[NodeRecord]] = []
  private var last: [NodeRecord] = []
  public private(set) var count = 0
  /// What few actions change, behind one pointer.
  private var books = Shared(Books())
  private var children = Slab<[NodeID]>()
  private var details = Slab<NodeDetails>()
  /// How many slots are in use, to know when to pack.
  private var usedSlots = (children: 0, details: 0)

  private struct Books: Sendable {
    var names = Names.none
    var modals = ModalBook()
    /// How many instances of each flow live and have not ended, by the number of its name.
    var alive: [Int32] = []
  }

  static let chunkSize = 32

  public init() {}

  // MARK: reading

  /// What the records' names stand for.
  var names: Names { books.value.names }

  /// The nodes that are presented on another one, ascending; those on levels are not among them.
  var modals: [NodeID] { books.value.modals.presented }

  /// The nodes that are presented on a level, the lowest first.
  var levels: [NodeID] { books.value.modals.levels }

  /// The nodes that wait for the place on their level, the oldest first.
  var waiting: [NodeID] { books.value.modals.waiting }

  /// Whether any node is presented, or waits to be.
  var hasModals: Bool { !books.value.modals.isEmpty }

  /// Whether any node is presented on a level, or waits to be.
  var hasLevels: Bool { hasModals && !(levels.isEmpty && waiting.isEmpty) }

  /// Where a record stands.
  struct Place {
    var chunk: Int
    var index: Int
  }

  /// How many chunks there are.
  var chunkCount: Int { last.isEmpty ? 0 : earlier.count + 1 }

  func chunk(_ index: Int) -> [NodeRecord] { index < earlier.count ? earlier[index] : last }

  /// Where the node is; nil: it is not here.
  func place(of id: NodeID) -> Place? {
    // A client may name any id; one that no record has room for is nobody's.
    guard let number = Int32(exactly: id.number), !last.isEmpty else { return nil }
    if earlier.isEmpty || last[0].id <= number {
      guard let index = Self.index(of: number, in: last) else { return nil }
      return Place(chunk: earlier.count, index: index)
    }
    var (low, high) = (0, earlier.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if earlier[middle][0].id <= number { low = middle } else { high = middle - 1 }
    }
    guard let index = Self.index(of: number, in: earlier[low]) else { return nil }
    return Place(chunk: low, index: index)
  }

  private static func index(of number: Int32, in records: [NodeRecord]) -> Int? {
    records.withUnsafeBufferPointer { records in
      guard let first = records.first, first.id <= number else { return nil }
      // Ids rise at least by one from record to record, so this is the last place where it can be; mostly it is there.
      var high = min(Int(number - first.id), records.count - 1)
      if records[high].id == number { return high }
      var low = 0
      while low < high {
        let middle = (low + high) / 2
        if records[middle].id < number { low = middle + 1 } else { high = middle }
      }
      return records[low].id == number ? low : nil
    }
  }

  /// The record of a node; nil: it is not here.
  func record(_ id: NodeID) -> NodeRecord? {
    guard let place = place(of: id) else { return nil }
    return self[place]
  }

  /// A record that is known to be of this table.
  private(set) subscript(place: Place) -> NodeRecord {
    get { place.chunk < earlier.count ? earlier[place.chunk][place.index] : last[place.index] }
    _modify {
      if place.chunk < earlier.count { yield &earlier[place.chunk][place.index] } else { yield &last[place.index] }
    }
  }

  func contains(_ id: NodeID) -> Bool { place(of: id) != nil }

  func children(of record: NodeRecord) -> [NodeID] { record.children < 0 ? [] : children[record.children] }

  func children(of id: NodeID) -> [NodeID] {
    guard let record = record(id), record.children >= 0 else { return [] }
    return children[record.children]
  }

  func details(of record: NodeRecord) -> NodeDetails { record.details < 0 ? .none : details[record.details] }

  /// nil: it has none.
  func storedDetails(of record: NodeRecord) -> NodeDetails? { record.details < 0 ? nil : details[record.details] }

  /// The same without a reference of its own: valid as long as this version.
  func unretainedDetails(of record: NodeRecord) -> Unmanaged<NodeDetails>? {
    record.details < 0 ? nil : details.unretained(record.details)
  }

  /// Whether a node carries the authorize URL with this OAuth state.
  func carries(authorization: String) -> Bool {
    records.contains { $0.details >= 0 && details[$0.details].authorization == authorization }
  }

  /// How many slots of children and of details, from the first, are one and the same in another version.
  func sharedSlots(with other: NodeTable) -> (children: Int, details: Int) {
    (children.shared(with: other.children), details.shared(with: other.details))
  }

  func count(ofChunk index: Int) -> Int { index < earlier.count ? earlier[index].count : last.count }

  /// What tells a chunk from all others while both are alive: an array is a pointer to its elements.
  func identity(ofChunk index: Int) -> UInt {
    index < earlier.count
      ? earlier.withUnsafeBytes { $0.load(fromByteOffset: index * MemoryLayout<[NodeRecord]>.stride, as: UInt.self) }
      : withUnsafeBytes(of: last) { $0.load(as: UInt.self) }
  }

  func details(of id: NodeID) -> NodeDetails {
    guard let record = record(id) else { return .none }
    return details(of: record)
  }

  /// The screen's name; for a container the flow's.
  func name(of record: NodeRecord) -> String { names.texts[Int(record.name)] }

  func flow(of record: NodeRecord) -> String? { record.flow < 0 ? nil : names.texts[Int(record.flow)] }

  /// Whether an instance of the flow lives and has not ended.
  func isAlive(flow name: String) -> Bool {
    guard let number = names.number(name), number < books.value.alive.count else { return false }
    return books.value.alive[Int(number)] > 0
  }

  /// All records, ascending by id.
  var records: some Sequence<NodeRecord> { (0..<chunkCount).lazy.flatMap { chunk($0) } }

  // MARK: writing

  /// Puts a node that was not here before behind all others.
  mutating func append(_ record: NodeRecord, details new: NodeDetails? = nil) {
    var record = record
    if let new { record.details = put(new) }
    if last.count >= Self.chunkSize {
      earlier.append(last)
      last = []
    }
    last.append(record)
    count += 1
    entered(record)
  }

  /// Changes what a record says of its node; not for its slots, its presented node, its flow or its end.
  mutating func update(_ id: NodeID, _ change: (inout NodeRecord) -> Void) {
    guard let place = place(of: id) else { return }
    change(&self[place])
  }

  /// Writes a node's children as they are. For tables that are filled from outside; the engine places nodes with `appendChild` and `move`.
  mutating func setChildren(_ new: [NodeID], of id: NodeID) {
    guard let place = place(of: id) else { return }
    let slot = self[place].children
    if slot >= 0 { usedSlots.children -= 1 }
    self[place].children = new.isEmpty ? -1 : children.append(new)
    if !new.isEmpty { usedSlots.children += 1 }
    packIfSparse()
  }

  /// Takes one child out.
  mutating func removeChild(_ child: NodeID, of record: NodeRecord) {
    let old = children(of: record)
    guard let index = old.lastIndex(of: child) else { return }
    var new: [NodeID] = []
    new.reserveCapacity(old.count - 1)
    new += old[..<index]
    new += old[(index + 1)...]
    setChildren(new, of: record.nodeID)
  }

  mutating func setDetails(_ new: NodeDetails, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if self[place].details >= 0 { usedSlots.details -= 1 }
    self[place].details = new.isEmpty ? -1 : put(new)
    packIfSparse()
  }

  mutating func setContent(_ content: Content?, of id: NodeID) {
    guard let record = record(id) else { return }
    setDetails(details(of: record).with(content: content), of: id)
  }

  /// Hangs a modal on a node, or takes it off; the modal's own record is not touched.
  mutating func setPresented(_ modal: NodeID?, on id: NodeID) {
    guard let place = place(of: id) else { return }
    if let old = self[place].presentedID { books.value.modals.remove(old) }
    self[place].presented = NodeRecord.number(modal)
    if let modal { books.value.modals.add(modal) }
  }

  /// Puts a node on a level, has it wait for one, or takes it off (0). What is below it is not touched.
  mutating func setLevel(_ level: Int, waits: Bool, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if self[place].level != 0 { books.value.modals.remove(id) }
    self[place].level = level
    self[place].waits = waits
    if level != 0 { books.value.modals.add(self[place]) }
  }

  /// Marks a flow as one that hears nothing more, or as one that does.
  mutating func setEnded(_ isEnded: Bool, of id: NodeID) {
    guard let place = place(of: id), self[place].isEnded != isEnded else { return }
    self[place].isEnded = isEnded
    count(self[place].flow, isEnded ? -1 : +1)
  }

  /// Takes a node out; who points at it is not touched, but for the list of its owner's flows.
  mutating func remove(_ id: NodeID) {
    guard let place = place(of: id) else { return }
    let record = self[place]
    left(record)
    count -= 1
    if place.chunk < earlier.count {
      earlier[place.chunk].remove(at: place.index)
      join(place.chunk)
    } else {
      last.remove(at: place.index)
      if last.isEmpty { last = earlier.popLast() ?? [] } else if !earlier.isEmpty { join(earlier.count - 1) }
    }
    packIfSparse()
  }

  /// The flows that a flow contributed and that are still here, oldest first.
  func flows(ownedBy record: NodeRecord) -> [NodeID] {
    var found: [NodeID] = []
    var next = record.firstOwned
    while next != 0, let flow = self.record(NodeID(Int(next))) {
      found.append(flow.nodeID)
      next = flow.nextOwned
    }
    return found
  }

  /// Refers to names by the numbers that `names` gives them; what it lacks is added behind.
  mutating func adopt(_ names: Names) {
    guard !self.names.isBuilt(on: names) else { return }
    let missing = self.names.texts.filter { names.number($0) == nil }
    let all = missing.isEmpty ? names : Names(missing, extending: names)
    let numbers = self.names.texts.map { all.number($0) ?? -1 }
    books.value.names = all
    books.value.alive = []
    forEachPlace { table, place in
      table[place].name = numbers[Int(table[place].name)]
      let flow = table[place].flow
      guard flow >= 0 else { return }
      table[place].flow = numbers[Int(flow)]
      if !table[place].isEnded { table.count(numbers[Int(flow)], +1) }
    }
  }

  private mutating func forEachPlace(_ body: (inout NodeTable, Place) -> Void) {
    for chunk in 0..<chunkCount { for index in self.chunk(chunk).indices { body(&self, Place(chunk: chunk, index: index)) } }
  }

  /// The number of a name, which is made if there is none.
  mutating func number(_ name: String) -> Int32 {
    if let number = names.number(name) { return number }
    books.value.names = Names([name], extending: names)
    return Int32(names.texts.count - 1)
  }

  // MARK: its own books

  private mutating func put(_ new: NodeDetails) -> Int32 {
    usedSlots.details += 1
    return details.append(new)
  }

  private mutating func count(_ flow: Int32, _ difference: Int32) {
    guard flow >= 0 else { return }
    while books.value.alive.count <= flow { books.value.alive.append(0) }
    books.value.alive[Int(flow)] += difference
  }

  /// A record has come in.
  private mutating func entered(_ record: NodeRecord) {
    if record.level != 0 { books.value.modals.add(record) }
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, +1) }
    guard let owner = record.ownerID, let ownerRecord = self.record(owner) else { return }
    let newest = ownerRecord.lastOwned
    update(record.nodeID) {
      $0.previousOwned = newest
      $0.nextOwned = 0
    }
    if newest == 0 {
      update(owner) { $0.firstOwned = record.id }
    } else {
      update(NodeID(Int(newest))) { $0.nextOwned = record.id }
    }
    update(owner) { $0.lastOwned = record.id }
  }

  /// A record is about to go.
  private mutating func left(_ record: NodeRecord) {
    if record.children >= 0 { usedSlots.children -= 1 }
    if record.details >= 0 { usedSlots.details -= 1 }
    if let modal = record.presentedID { books.value.modals.remove(modal) }
    if record.level != 0 { books.value.modals.remove(record.nodeID) }
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, -1) }
    let (previous, next) = (record.previousOwned, record.nextOwned)
    if previous != 0 { update(NodeID(Int(previous))) { $0.nextOwned = next } }
    if next != 0 { update(NodeID(Int(next))) { $0.previousOwned = previous } }
    guard let owner = record.ownerID else { return }
    update(owner) {
      if $0.firstOwned == record.id { $0.firstOwned = next }
      if $0.lastOwned == record.id { $0.lastOwned = previous }
    }
  }

  /// Small neighbours become one chunk, so that their number stays in proportion to the nodes.
  private mutating func join(_ index: Int) {
    guard !earlier[index].isEmpty else {
      earlier.remove(at: index)
      return
    }
    if index > 0, earlier[index - 1].count + earlier[index].count <= Self.chunkSize / 2 {
      earlier[index - 1] += earlier[index]
      earlier.remove(at: index)
    } else if index + 1 < earlier.count {
      guard earlier[index].count + earlier[index + 1].count <= Self.chunkSize / 2 else { return }
      earlier[index] += earlier[index + 1]
      earlier.remove(at: index + 1)
    } else if earlier[index].count + last.count <= Self.chunkSize / 2 {
      last = earlier.removeLast() + last
    }
  }

  /// Writes the slabs anew once most of what is in them is of no use any more: each change pays for one place of it.
  private mutating func packIfSparse() {
    if children.count > 2 * usedSlots.children + 64 {
      let old = children
      children = Slab()
      forEachPlace { table, place in
        if table[place].children >= 0 { table[place].children = table.children.append(old[table[place].children]) }
      }
    }
    if details.count > 2 * usedSlots.details + 64 {
      let old = details
      details = Slab()
      forEachPlace { table, place in
        if table[place].details >= 0 { table[place].details = table.details.append(old[table[place].details]) }
      }
    }
  }

  /// Puts a record in at its id's place, wherever that is: for tables that are filled from outside.
  mutating func insert(_ record: NodeRecord) {
    guard let newest = last.last, newest.id > record.id else { return append(record) }
    // Rare, and never the engine's: all chunks are made anew.
    var all = Array(records)
    let index = all.firstIndex { $0.id > record.id } ?? all.count
    all.insert(record, at: index)
    let cuts = stride(from: 0, to: all.count, by: Self.chunkSize).map { Array(all[$0..<min($0 + Self.chunkSize, all.count)]) }
    earlier = cuts.dropLast()
    last = cuts.last ?? []
    count += 1
    entered(record)
  }
}
