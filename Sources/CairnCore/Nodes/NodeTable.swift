/// The nodes of a session in ascending order of ids.
///
/// Versions share their common parts: a copy costs a few pointers, a change copies only the chunk that it affects, and versions are compared
/// without reading the shared parts. The dictionary of `Node` values is for tests and tools; the engine works on records.
public struct NodeTable: Sendable {
  private(set) var chunks = NodeChunks()
  var books = Shared(NodeBooks())
  private(set) var details = DetailSlots()
  /// The record of the nodes that are written; `nil` if writes are not recorded. Belongs to the running action, which sets it to `nil` at
  /// its end.
  nonisolated(unsafe) var edited: UnsafeMutablePointer<EditedNodes>?

  public init() {}

  // MARK: reading

  public var count: Int { chunks.count }

  /// The highest number of an existing node; `nil` if there are no nodes.
  var newestNumber: WideInt? { chunks.newest.map { WideInt($0.id) } }

  /// The names to which the records refer by number.
  var names: Names { books.value.names }

  /// The modals that are presented on a node, the frontmost last. Modals on levels are not included.
  var modals: [NodeID] { books.value.modals.presented }

  /// The modals on levels, the lowest level first.
  var levels: [NodeID] { books.value.modals.levels }

  /// The overlays that are shown, the oldest first.
  var overlays: [NodeID] { books.value.modals.overlays }

  /// The modals that wait for their level, and the overlays that wait for their slot, the oldest first.
  var waiting: [NodeID] { books.value.modals.waiting }

  /// Whether the table contains a modal or an overlay, shown or waiting.
  var hasModals: Bool { !books.value.modals.isEmpty }

  /// Whether any node is presented on a level or is an overlay, or waits for a level or slot.
  var hasLevels: Bool { hasModals && !(levels.isEmpty && waiting.isEmpty && overlays.isEmpty) }

  /// All records in ascending order of ids.
  var records: NodeRecords { NodeRecords(chunks) }

  /// The record of a node; `nil` if the node does not exist.
  func record(_ id: NodeID) -> NodeRecord? {
    // Clients may name any id. Ids beyond 32 bits have no record.
    guard let place = place(of: id) else { return nil }
    return chunks[place]
  }

  /// The record of a node by the number of its id; `nil` for 0 and unknown nodes.
  func record(_ number: Int32) -> NodeRecord? {
    guard number != 0, let place = chunks.place(of: number) else { return nil }
    return chunks[place]
  }

  private func place(of id: NodeID) -> NodeChunks.Place? { Int32(exactly: id.number).flatMap { chunks.place(of: $0) } }

  /// The children of a node in order.
  func children(of record: NodeRecord) -> [NodeID] {
    guard record.childCount > 0 else { return [] }
    var children: [NodeID] = []
    children.reserveCapacity(Int(record.childCount))
    Siblings.forEach(below: record, in: self) { children.append($0.nodeID) }
    return children
  }

  func children(of id: NodeID) -> [NodeID] { record(id).map { children(of: $0) } ?? [] }

  func details(of record: NodeRecord) -> NodeDetails { details[record.details] ?? .none }

  /// The details of a node; `nil` if the node has none.
  func storedDetails(of record: NodeRecord) -> NodeDetails? { details[record.details] }

  /// Whether a node has the same details object in an older version. If false, the details may still be equal. Slots cannot be compared by their
  /// numbers, because they are renumbered when the storage is packed.
  func sharesDetails(of record: NodeRecord, with past: NodeRecord, in old: NodeTable) -> Bool {
    details.unretained(record.details)?.toOpaque() == old.details.unretained(past.details)?.toOpaque()
  }

  func details(of id: NodeID) -> NodeDetails { record(id).map { details(of: $0) } ?? .none }

  /// The name of the screen, or of the flow for a container.
  func name(of record: NodeRecord) -> String { names.texts[Int(record.name)] }

  func flow(of record: NodeRecord) -> String? { record.flow < 0 ? nil : names.texts[Int(record.flow)] }

  /// Whether an instance of the flow exists that has not ended.
  func isAlive(flow name: String) -> Bool { books.value.isAlive(flow: name) }

  // MARK: writing

  /// Appends a new node, which has no parent yet. Its id must be higher than all others.
  mutating func append(_ record: NodeRecord, details new: NodeDetails? = nil) {
    var record = record
    if let new { record.details = details.put(new) }
    chunks.append(record)
    entered(record)
  }

  /// Inserts a record at the position of its id. Only for `NodeFilling`.
  mutating func insert(_ record: NodeRecord) {
    chunks.insert(record)
    entered(record)
  }

  /// Changes a record. `change` must not write positions in lists, the slot of details, `presented`, the flow, or whether the node has ended, because
  /// other functions track these.
  mutating func update(_ id: NodeID, _ change: (inout NodeRecord) -> Void) {
    guard let place = place(of: id) else { return }
    edit(place, change)
  }

  /// Changes a record, and notes in `edited` that it was written.
  private mutating func edit(_ place: NodeChunks.Place, keptChildren: Int32? = .max, _ change: (inout NodeRecord) -> Void) {
    let record = chunks.pointer(to: place)
    edited?.pointee.note(record.pointee.id, keptChildren: keptChildren)
    change(&record.pointee)
  }

  /// Appends a node to the children of another one. The node must not have a parent, and must not have had a parent since `edited` was set.
  mutating func link(_ child: NodeID, to parent: NodeID) {
    guard let childPlace = place(of: child), let parentPlace = place(of: parent) else { return }
    let (child, before) = (chunks[childPlace].id, chunks[parentPlace].lastChild)
    edit(parentPlace) {
      if before == 0 { $0.firstChild = child }
      $0.lastChild = child
      $0.childCount += 1
    }
    chunks.change(before) { $0.next = child }
    let pointer = chunks.pointer(to: childPlace)
    pointer.pointee.previous = before
    pointer.pointee.next = 0
  }

  /// Removes a node from its parent's children. Does nothing if the node is not among these.
  mutating func unlink(_ id: NodeID) {
    guard let own = place(of: id) else { return }
    let record = chunks[own]
    guard record.parent != 0, let place = chunks.place(of: record.parent) else { return }
    let (previous, next) = (record.previous, record.next)
    guard previous != 0 || next != 0 || chunks[place].firstChild == record.id else { return }
    edit(place, keptChildren: next == 0 ? chunks[place].childCount - 1 : nil) {
      if previous == 0 { $0.firstChild = next }
      if next == 0 { $0.lastChild = previous }
      $0.childCount -= 1
    }
    chunks.change(previous) { $0.next = next }
    chunks.change(next) { $0.previous = previous }
    let pointer = chunks.pointer(to: own)
    (pointer.pointee.previous, pointer.pointee.next) = (0, 0)
  }

  /// Replaces the children of a node. The new children must not have another parent.
  mutating func setChildren(_ new: [NodeID], of id: NodeID) {
    guard let place = place(of: id) else { return }
    var next = chunks[place].firstChild
    while let child = record(next) {
      chunks.change(next) { ($0.previous, $0.next) = (0, 0) }
      next = child.next
    }
    edit(place, keptChildren: nil) { ($0.firstChild, $0.lastChild, $0.childCount) = (0, 0, 0) }
    for child in new { link(child, to: id) }
  }

  mutating func setDetails(_ new: NodeDetails, of id: NodeID) {
    guard let place = place(of: id) else { return }
    details.free(chunks[place].details)
    let slot = details.put(new)
    edit(place) { $0.details = slot }
    details.packIfSparse(for: &chunks)
  }

  mutating func setContent(_ content: Content?, of id: NodeID) {
    guard let record = record(id) else { return }
    setDetails(details(of: record).with(content: content), of: id)
  }

  /// Sets or removes the modal that a node presents. The modal's own record is not changed.
  mutating func setPresented(_ modal: NodeID?, on id: NodeID) {
    guard let place = place(of: id) else { return }
    if let old = chunks[place].ownModal(in: self) { books.value.modals.remove(old) }
    edit(place) { $0.presented = NodeRecord.number(modal) }
    if let modal { books.value.modals.add(modal, order: record(modal)?.frontOrder ?? NodeRecord.number(modal)) }
  }

  /// Puts a node on a level, makes it wait for the level, or removes it from its level (0). Its descendants are not changed.
  mutating func setLevel(_ level: Int, waits: Bool, of id: NodeID) {
    guard let place = place(of: id) else { return }
    if chunks[place].level != 0 { books.value.modals.remove(id) }
    edit(place) {
      $0.level = level
      $0.waits = waits
    }
    if level != 0 {
      books.value.modals.add(chunks[place])
    } else if let presenter = record(chunks[place].parent), presenter.presentedID == id {
      books.value.modals.add(id, order: chunks[place].frontOrder)
    }
  }

  /// Sets whether a flow has ended, and updates the count on which `isAlive(flow:)` depends.
  mutating func setEnded(_ isEnded: Bool, of id: NodeID) {
    guard let place = place(of: id), chunks[place].isEnded != isEnded else { return }
    edit(place) { $0.isEnded = isEnded }
    books.value.count(chunks[place].flow, isEnded ? -1 : +1)
  }

  /// Changes the flow and the owner of a node. Its owner must be in the table.
  mutating func setFlow(_ flow: Int32, owner: NodeID?, of id: NodeID) {
    guard let place = place(of: id) else { return }
    leaveFlows(chunks[place])
    edit(place) { $0.setFlow(flow, owner: owner) }
    enterFlows(chunks[place])
  }

  /// Removes a node from the table, from its parent's children and from its owner's flows. Its presenter and its descendants are not changed.
  mutating func remove(_ id: NodeID) {
    guard let place = place(of: id) else { return }
    let record = chunks[place]
    details.free(record.details)
    if let modal = record.ownModal(in: self) { books.value.modals.remove(modal) }
    if record.level != 0 { books.value.modals.remove(record.nodeID) }
    unlink(id)
    leaveFlows(record)
    edited?.pointee.note(record.id)
    chunks.remove(at: place)
    details.packIfSparse(for: &chunks)
  }

  /// Renumbers the records according to `names`. Names that `names` lacks are appended.
  mutating func adopt(_ names: Names) {
    guard !self.names.isBuilt(on: names) else { return }
    let missing = self.names.texts.filter { names.number($0) == nil }
    let all = missing.isEmpty ? names : Names(missing, extending: names)
    let numbers = self.names.texts.map { all.number($0) ?? -1 }
    var renamed = NodeBooks()
    (renamed.names, renamed.modals) = (all, books.value.modals)
    chunks.changeAll { record in
      record.name = numbers[Int(record.name)]
      guard record.flow >= 0 else { return }
      record.flow = numbers[Int(record.flow)]
      if !record.isEnded { renamed.count(record.flow, +1) }
    }
    books.value = renamed
  }

  /// The number of a name. An unknown name is added.
  mutating func number(_ name: String) -> Int32 {
    if let number = names.number(name) { return number }
    books.value.names = Names([name], extending: names)
    return Int32(names.texts.count - 1)
  }

  // MARK: its own books

  /// Updates the table's counts and indexes for a new record.
  private mutating func entered(_ record: NodeRecord) {
    edited?.pointee.note(record.id)
    if record.level != 0 { books.value.modals.add(record) }
    enterFlows(record)
  }

  /// Counts a flow that has not ended, and appends it to its owner's flows.
  private mutating func enterFlows(_ record: NodeRecord) {
    guard record.isFlow else { return }
    if !record.isEnded { books.value.count(record.flow, +1) }
    OwnedFlows.add(record, in: &chunks)
  }

  private mutating func leaveFlows(_ record: NodeRecord) {
    guard record.isFlow else { return }
    if !record.isEnded { books.value.count(record.flow, -1) }
    OwnedFlows.remove(record, in: &chunks)
  }
}
