/// The properties of a table's nodes that are not in their records. Few actions change them, so they are behind one pointer.
struct NodeBooks: Sendable {
  /// The names that the records' numbers stand for.
  var names = Names.none
  var modals = ModalBook()
  /// How many instances of each flow live and have not ended, by the number of its name.
  private var alive: [Int32] = []

  /// Counts instances of a flow; a negative number is not a flow.
  mutating func count(_ flow: Int32, _ difference: Int32) {
    guard flow >= 0 else { return }
    while alive.count <= flow { alive.append(0) }
    alive[Int(flow)] += difference
  }

  /// Whether an instance of the flow lives and has not ended.
  func isAlive(flow name: String) -> Bool {
    guard let number = names.number(name), number < alive.count else { return false }
    return alive[Int(number)] > 0
  }
}
