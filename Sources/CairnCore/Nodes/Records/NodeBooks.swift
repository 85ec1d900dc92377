/// The data of a table that is not in its records. Few actions change it, so it is stored behind one pointer.
struct NodeBooks: Sendable {
  /// The names to which the records refer by number.
  var names = Names.none
  var modals = ModalBook()
  /// For each flow, the number of its instances that have not ended. The index is the number of the flow's name.
  private var alive: [Int32] = []

  /// Adds `difference` to the number of a flow's instances that have not ended. Does nothing if `flow` is negative, which means no flow.
  mutating func count(_ flow: Int32, _ difference: Int32) {
    guard flow >= 0 else { return }
    while alive.count <= flow { alive.append(0) }
    alive[Int(flow)] += difference
  }

  /// Whether an instance of the flow exists that has not ended.
  func isAlive(flow name: String) -> Bool {
    guard let number = names.number(name), number < alive.count else { return false }
    return alive[Int(number)] > 0
  }
}
