package import CairnCore

/// A client's view of a state: its stack, its tree and the visible route, or only the visible route with `Prefer: return=minimal`.
package struct Seen: Sendable {
  /// The state that is shown.
  package var state: State
  /// Of the state's definition.
  package var reducer: Reducer
  /// Only what is visible.
  package var isMinimal: Bool

  package init(_ state: State, _ reducer: Reducer, isMinimal: Bool = false) {
    self.state = state
    self.reducer = reducer
    self.isMinimal = isMinimal
  }

  /// About how many bytes an answer with it takes: each node stands in the tree, and many in the stack too.
  var expectedSize: Int { isMinimal ? 1_024 : 480 + 144 * state.nodes.count }

  /// Members of an object that is open: `stack`, `tree`, `visible`.
  func writeMembers(to writer: inout JSONWriter) { Self.writeMembers(of: state, reducer, isMinimal: isMinimal, to: &writer) }

  /// The same of a state that need not be copied.
  static func writeMembers(of state: borrowing State, _ reducer: borrowing Reducer, isMinimal: Bool, to writer: inout JSONWriter) {
    if isMinimal {
      writer.member("visible", orNull: reducer.visible(in: state))
    } else {
      reducer.writeView(of: state, to: &writer)
    }
  }
}

/// Only the route stack.
package struct StackBody: JSONWritable, Sendable {
  package var state: State
  package var reducer: Reducer

  package init(_ state: State, _ reducer: Reducer) {
    self.state = state
    self.reducer = reducer
  }

  package func write(to writer: inout JSONWriter) { reducer.write(routesOf: state, to: &writer) }
}
