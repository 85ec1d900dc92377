package import CairnCore

/// What a client sees of a state: its stack, its tree and what is visible, or with `Prefer: return=minimal` that alone.
package struct Seen: Sendable {
  package var state: State
  package var reducer: Reducer
  package var isMinimal: Bool

  package init(_ state: State, _ reducer: Reducer, isMinimal: Bool = false) {
    self.state = state
    self.reducer = reducer
    self.isMinimal = isMinimal
  }

  /// Members of an object that is open: `stack`, `tree`, `visible`.
  func writeMembers(to writer: inout JSONWriter) {
    let routes = reducer.routes(of: state)
    guard !isMinimal else { return writer.member("visible", orNull: routes.last) }
    writer.name("stack")
    let last = writer.array(markingLast: routes)
    writer.name("tree")
    reducer.write(treeOf: state, to: &writer)
    // What is visible is the last of the stack. Also when nothing is shown: a client finds `null`, not a missing member.
    writer.name("visible")
    if let last { writer.again(last) } else { writer.null() }
  }
}
