/// The nodes of a session by their ids, in the order of these.
///
/// Versions share what they have in common: a copy is a few pointers, a change costs the chunk that it touches, and what two versions
/// differ in is found without looking at the rest. As a dictionary of `Node`s it is for those who look from outside; the engine works on records.
public struct NodeTable: Sendable {
  /// Records, ascending by id, in chunks of which none is empty; the last one stands apart, since most actions change it alone.
  private var earlier: [NodeChunk] = []
  private var last: NodeChunk?
  public private(set) var count = 0
  /// What few actions change, behind one pointer.
  private var books = Shared(Books())
  private var details = Slab<NodeDetails>()
  /// How many slots of details are in use, to know when to pack.
  private var usedSlots = 0
  /// Where the records that are written are noted; nil: nobody asks. It belongs to the action that runs, which takes it off at its end.
  nonisolated(unsafe) private var edited: UnsafeMutablePointer<EditedNodes>?

  private struct Books: Sendable {
    var names = Names.none
    var modals = ModalBook()
    /// How many instances of each flow live and have not ended, by the number of its name.
    var alive: [Int32] = []
  }

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
  var chunkCount: Int { last == nil ? 0 : earlier.count + 1 }

  /// A chunk, from 0 to the one before `chunkCount`.
  func chunk(_ index: Int) -> NodeChunk? { index < earlier.count ? earlier[index] : last }

  /// Where the node is; nil: it is not here.
  func place(of id: NodeID) -> Place? {
    // A client may name any id; one that no record has room for is nobody's.
    guard let number = Int32(exactly: id.number) else { return nil }
    return place(of: number)
  }

  private func place(of number: Int32) -> Place? {
    guard let last else { return nil }
    if earlier.isEmpty || last.base[0].id <= number {
      return last.index(of: number).map { Place(chunk: earlier.count, index: $0) }
    }
    var (low, high) = (0, earlier.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if earlier[middle].base[0].id <= number { low = middle } else { high = middle - 1 }
    }
    return earlier[low].index(of: number).map { Place(chunk: low, index: $0) }
  }

  /// The record of a node; nil: it is not here.
  func record(_ id: NodeID) -> NodeRecord? {
    guard let place = place(of: id) else { return nil }
    return self[place]
  }

  /// The same by the number that records have of it; 0 is none.
  func record(_ number: Int32) -> NodeRecord? {
    guard number != 0, let place = place(of: number) else { return nil }
    return self[place]
  }

  /// A record that is known to be of this table.
  subscript(place: Place) -> NodeRecord {
    guard place.chunk < earlier.count else { return last.unsafelyUnwrapped.base[place.index] }
    return earlier[place.chunk].base[place.index]
  }

  /// The record of the newest node; nil: there is none.
  var newest: NodeRecord? { last?.last }

  func contains(_ id: NodeID) -> Bool { place(of: id) != nil }

  /// Visits the records of a node's children, in order.
  @inline(__always)
  func forEachChild(of record: NodeRecord, _ visit: (NodeRecord) -> Void) {
    var next = record.firstChild
    while let child = self.record(next) {
      visit(child)
      next = child.next
    }
  }

  func children(of record: NodeRecord) -> [NodeID] {
    guard record.childCount > 0 else { return [] }
    var children: [NodeID] = []
    children.reserveCapacity(Int(record.childCount))
    forEachChild(of: record) { children.append($0.nodeID) }
    return children
  }

  func children(of id: NodeID) -> [NodeID] { record(id).map { children(of: $0) } ?? [] }

  /// The last so many children of a node, in order.
  func lastChildren(_ count: Int, of record: NodeRecord) -> [NodeID] {
    guard count > 0 else { return [] }
    var children: [NodeID] = []
    children.reserveCapacity(count)
    var next = record.lastChild
    while children.count < count, let child = self.record(next) {
      children.append(child.nodeID)
      next = child.previous
    }
    if count > 1 { children.reverse() }
    return children
  }

  /// Which of its parent's children a node is, from 0.
  func childIndex(of record: NodeRecord) -> Int {
    var (index, here) = (0, record)
    while let before = self.record(here.previous) { (index, here) = (index + 1, before) }
    return index
  }

  /// The child of a node with so many before it; nil: there are not so many.
  func child(_ index: Int, of record: NodeRecord) -> NodeRecord? {
    guard index >= 0, index < Int(record.childCount) else { return nil }
    // From the end that is nearer.
    let fromEnd = Int(record.childCount) - 1 - index
    guard index > fromEnd else {
      var child = self.record(record.firstChild)
      for _ in 0..<index { child = child.flatMap { self.record($0.next) } }
      return child
    }
    var child = self.record(record.lastChild)
    for _ in 0..<fromEnd { child = child.flatMap { self.record($0.previous) } }
    return child
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

  /// How many slots of details, from the first, are one and the same in another version.
  func sharedSlots(with other: NodeTable) -> Int { details.shared(with: other.details) }

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
  var records: NodeRecords { NodeRecords(table: self) }

  // MARK: writing

  /// Notes which records are written, as long as the place lives that they are noted at; nil: no more.
  mutating func noteEdits(at place: UnsafeMutablePointer<EditedNodes>?) { edited = place }

  /// Puts a node that was not here before behind all others. It is among nobody's children yet.
  mutating func append(_ record: NodeRecord, details new: NodeDetails? = nil) {
    var record = record
    if let new { record.details = put(new) }
    if last.map({ $0.count >= NodeChunk.size }) ?? true {
      if let full = last { earlier.append(full) }
      last = NodeChunk(capacity: earlier.isEmpty ? NodeChunk.size / 2 : NodeChunk.size)
    } else if last?.isUnique() == false || last?.isFull == true {
      last = last?.copy(adding: 1)
    }
    last?.append(record)
    count += 1
    edited?.pointee.note(record.id)
    entered(record)
  }

  /// Changes what a record says of its node; not for its places in lists, its slot, its presented node, its flow or its end.
  mutating func update(_ id: NodeID, _ change: (inout NodeRecord) -> Void) {
    guard let place = place(of: id) else { return }
    edit(place, change)
  }

  /// Changes a record, and notes it.
  private mutating func edit(_ place: Place, keptChildren: Int32? = .max, _ change: (inout NodeRecord) -> Void) {
    let record = pointer(to: place)
    edited?.pointee.note(record.pointee.id, keptChildren: keptChildren)
    change(&record.pointee)
  }

  /// Changes a record's places in lists, which follow from the records that have the lists.
  private mutating func relink(_ number: Int32, _ change: (inout NodeRecord) -> Void) {
    guard number != 0, let place = place(of: number) else { return }
    change(&pointer(to: place).pointee)
  }

  /// A record in a chunk that nobody else has. The pointer lasts until the next change.
  private mutating func pointer(to place: Place) -> UnsafeMutablePointer<NodeRecord> {
    if place.chunk < earlier.count {
      if !earlier[place.chunk].isUnique() { earlier[place.chunk] = earlier[place.chunk].copy() }
      return earlier[place.chunk].base + place.index
    }
    if last?.isUnique() == false { last = last?.copy() }
    return last.unsafelyUnwrapped.base + place.index
  }

  /// Makes a node the last child of another one. It must not be among anybody's children, and since edits are noted it must not have been.
  mutating func link(_ child: NodeID, to parent: NodeID) {
    guard let childPlace = place(of: child), let parentPlace = place(of: parent) else { return }
    let (child, before) = (self[childPlace].id, self[parentPlace].lastChild)
    edit(parentPlace) {
      if before == 0 { $0.firstChild = child }
      $0.lastChild = child
      $0.childCount += 1
    }
    relink(before) { $0.next = child }
    let pointer = pointer(to: childPlace)
    pointer.pointee.previous = before
    pointer.pointee.next = 0
  }

  /// Takes a node out of its parent's children; nothing if it is not among them.
  mutating func unlink(_ id: NodeID) {
    guard let place = place(of: id) else { return }
    unlink(self[place])
    let pointer = pointer(to: place)
    (pointer.pointee.previous, pointer.pointee.next) = (0, 0)
  }

  private mutating func unlink(_ record: NodeRecord) {
    guard record.parent != 0, let place = place(of: record.parent) else { return }
    let (previous, next) = (record.previous, record.next)
    guard previous != 0 || next != 0 || self[place].firstChild == record.id else { return }
    edit(place, keptChildren: next == 0 ? self[place].childCount - 1 : nil) {
      if previous == 0 { $0.firstChild = next }
      if next == 0 { $0.lastChild = previous }
      $0.childCount -= 1
    }
    relink(previous) { $0.next = next }
    relink(next) { $0.previous = previous }
  }

  /// Makes nodes, in their order, the children of a node in the place of those that it has. They must be among nobody else's children.
  mutating func setChildren(_ new: [NodeID], of id: NodeID) {
    guard let place = place(of: id) else { return }
    var next = self[place].firstChild
    while let child = record(next) {
      relink(next) { ($0.previous, $0.next) = (0, 0) }
      next = child.next
    }
    edit(place, keptChildren: nil) { ($0.firstChild, $0.lastChild, $0.childCount) = (0, 0, 0) }
    for child in new { link(child, to: id) }
  }

  mutating func setDetails(_ new: NodeDetails, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if self[place].details >= 0 { usedSlots -= 1 }
    let slot = new.isEmpty ? -1 : put(new)
    edit(place) { $0.details = slot }
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
    edit(place) { $0.presented = NodeRecord.number(modal) }
    if let modal { books.value.modals.add(modal) }
  }

  /// Puts a node on a level, has it wait for one, or takes it off (0). What is below it is not touched.
  mutating func setLevel(_ level: Int, waits: Bool, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if self[place].level != 0 { books.value.modals.remove(id) }
    edit(place) {
      $0.level = level
      $0.waits = waits
    }
    if level != 0 { books.value.modals.add(self[place]) }
  }

  /// Marks a flow as one that hears nothing more, or as one that does.
  mutating func setEnded(_ isEnded: Bool, of id: NodeID) {
    guard let place = place(of: id), self[place].isEnded != isEnded else { return }
    edit(place) { $0.isEnded = isEnded }
    count(self[place].flow, isEnded ? -1 : +1)
  }

  /// Makes a node an instance of another flow, or another one's: for tables that are filled from outside.
  mutating func setFlow(_ flow: Int32, owner: NodeID?, of id: NodeID) {
    guard let place = place(of: id) else { return }
    leaveFlows(self[place])
    edit(place) { $0.setFlow(flow, owner: owner) }
    enterFlows(self[place])
  }

  /// Takes a node out, and out of the lists that it is in: its parent's children and its owner's flows. Who presents it is not touched, nor
  /// what is below it.
  mutating func remove(_ id: NodeID) {
    guard let place = place(of: id) else { return }
    let record = self[place]
    left(record)
    edited?.pointee.note(record.id)
    count -= 1
    // For a chunk that nobody else has.
    _ = pointer(to: place)
    if place.chunk < earlier.count {
      earlier[place.chunk].remove(at: place.index)
      join(place.chunk)
    } else if let newest = last {
      newest.remove(at: place.index)
      if newest.count == 0 { last = earlier.popLast() } else if !earlier.isEmpty { join(earlier.count - 1) }
    }
    packIfSparse()
  }

  /// The flows that a flow contributed and that are still here, oldest first.
  func flows(ownedBy record: NodeRecord) -> [NodeID] {
    var found: [NodeID] = []
    var next = record.firstOwned
    while let flow = self.record(next) {
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
    forEachRecord { table, record in
      record.pointee.name = numbers[Int(record.pointee.name)]
      let flow = record.pointee.flow
      guard flow >= 0 else { return }
      record.pointee.flow = numbers[Int(flow)]
      if !record.pointee.isEnded { table.count(numbers[Int(flow)], +1) }
    }
  }

  private mutating func forEachRecord(_ body: (inout NodeTable, UnsafeMutablePointer<NodeRecord>) -> Void) {
    for chunk in 0..<chunkCount {
      for index in 0..<(self.chunk(chunk)?.count ?? 0) { body(&self, pointer(to: Place(chunk: chunk, index: index))) }
    }
  }

  /// The number of a name, which is made if there is none.
  mutating func number(_ name: String) -> Int32 {
    if let number = names.number(name) { return number }
    books.value.names = Names([name], extending: names)
    return Int32(names.texts.count - 1)
  }

  // MARK: its own books

  private mutating func put(_ new: NodeDetails) -> Int32 {
    usedSlots += 1
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
    enterFlows(record)
  }

  /// Counts a living flow, and puts it behind its owner's other ones.
  private mutating func enterFlows(_ record: NodeRecord) {
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, +1) }
    guard let newest = self.record(record.owner)?.lastOwned else { return }
    relink(record.id) {
      $0.previousOwned = newest
      $0.nextOwned = 0
    }
    relink(newest) { $0.nextOwned = record.id }
    relink(record.owner) {
      if newest == 0 { $0.firstOwned = record.id }
      $0.lastOwned = record.id
    }
  }

  /// A record is about to go.
  private mutating func left(_ record: NodeRecord) {
    if record.details >= 0 { usedSlots -= 1 }
    if let modal = record.presentedID { books.value.modals.remove(modal) }
    if record.level != 0 { books.value.modals.remove(record.nodeID) }
    unlink(record)
    leaveFlows(record)
  }

  private mutating func leaveFlows(_ record: NodeRecord) {
    guard record.isFlow else { return }
    if !record.isEnded { count(record.flow, -1) }
    let (previous, next) = (record.previousOwned, record.nextOwned)
    relink(previous) { $0.nextOwned = next }
    relink(next) { $0.previousOwned = previous }
    relink(record.owner) {
      if $0.firstOwned == record.id { $0.firstOwned = next }
      if $0.lastOwned == record.id { $0.lastOwned = previous }
    }
  }

  /// Small neighbours become one chunk, so that their number stays in proportion to the nodes.
  private mutating func join(_ index: Int) {
    guard earlier[index].count > 0 else {
      earlier.remove(at: index)
      return
    }
    if index > 0, earlier[index - 1].count + earlier[index].count <= NodeChunk.size / 2 {
      earlier[index - 1] = Self.joined(earlier[index - 1], earlier[index])
      earlier.remove(at: index)
    } else if index + 1 < earlier.count {
      guard earlier[index].count + earlier[index + 1].count <= NodeChunk.size / 2 else { return }
      earlier[index] = Self.joined(earlier[index], earlier[index + 1])
      earlier.remove(at: index + 1)
    } else if let newest = last, earlier[index].count + newest.count <= NodeChunk.size / 2 {
      last = Self.joined(earlier.removeLast(), newest)
    }
  }

  private static func joined(_ one: NodeChunk, _ other: NodeChunk) -> NodeChunk {
    let both = one.copy(adding: other.count)
    for index in 0..<other.count { both.append(other.base[index]) }
    return both
  }

  /// Writes the slab anew once most of what is in it is of no use any more: each change pays for one place of it.
  private mutating func packIfSparse() {
    guard details.count > 2 * usedSlots + 64 else { return }
    let old = details
    details = Slab()
    forEachRecord { table, record in
      if record.pointee.details >= 0 { record.pointee.details = table.details.append(old[record.pointee.details]) }
    }
  }

  /// Puts a record in at its id's place, wherever that is: for tables that are filled from outside.
  mutating func insert(_ record: NodeRecord) {
    guard let newest, newest.id > record.id else { return append(record) }
    // Rare, and never the engine's: all chunks are made anew.
    var all = Array(records)
    let index = all.firstIndex { $0.id > record.id } ?? all.count
    all.insert(record, at: index)
    (earlier, last) = ([], nil)
    for record in all {
      if let full = last, full.count == NodeChunk.size {
        earlier.append(full)
        last = nil
      }
      if last == nil { last = NodeChunk(capacity: NodeChunk.size) }
      last?.append(record)
    }
    count += 1
    entered(record)
  }
}

/// The records of a table, ascending by id.
struct NodeRecords: Sequence, IteratorProtocol {
  let table: NodeTable
  private var place = NodeTable.Place(chunk: 0, index: 0)

  init(table: NodeTable) { self.table = table }

  mutating func next() -> NodeRecord? {
    guard place.chunk < table.chunkCount, let chunk = table.chunk(place.chunk) else { return nil }
    let record = chunk.base[place.index]
    place.index += 1
    if place.index == chunk.count { place = NodeTable.Place(chunk: place.chunk + 1, index: 0) }
    return record
  }
}
