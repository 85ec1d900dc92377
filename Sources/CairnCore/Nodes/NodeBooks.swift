/// The properties of a table that are not in its records. Few actions change them, so they are behind one pointer.
struct NodeBooks: Sendable {
  /// The names to which the records' numbers refer.
  var names = Names.none
  var modals = ModalBook()
  /// The number of instances of each flow that have not ended, by the number of its name.
  private var alive: [Int32] = []

  /// Changes the number of instances of a flow. Ignored for a negative flow number.
  mutating func count(_ flow: Int32, _ difference: Int32) {
    guard flow >= 0 else { return }
    while alive.count <= flow { alive.append(0) }
    alive[Int(flow)] += difference
  }

  /// Whether an instance of the flow exists and has not ended.
  func isAlive(flow name: String) -> Bool {
    guard let number = names.number(name), number < alive.count else { return false }
    return alive[Int(number)] > 0
  }
}
