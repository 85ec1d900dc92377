package import CairnCore

/// A client's view of a state: its stack, its tree and the visible route, or only the visible route with `Prefer: return=minimal`.
package struct Seen: Sendable {
  /// The state that the view shows.
  package var state: State
  /// The reducer of the state's definition.
  package var reducer: Reducer
  /// Whether the view consists only of the visible route.
  package var isMinimal: Bool

  package init(_ state: State, _ reducer: Reducer, isMinimal: Bool = false) {
    self.state = state
    self.reducer = reducer
    self.isMinimal = isMinimal
  }

  /// Estimated size in bytes of a response with this view. Each node is part of the tree, and many nodes are also part of the stack.
  var expectedSize: Int { isMinimal ? 1_024 : 480 + 144 * state.nodes.count }

  /// Writes `stack`, `tree` and `visible`, or only `visible`, as members of an open object.
  func writeMembers(to writer: inout JSONWriter) { Self.writeMembers(of: state, reducer, isMinimal: isMinimal, to: &writer) }

  /// Writes the view of `state`, which is borrowed so that it is not copied.
  static func writeMembers(of state: borrowing State, _ reducer: borrowing Reducer, isMinimal: Bool, to writer: inout JSONWriter) {
    if isMinimal {
      writer.member("visible", orNull: reducer.visible(in: state))
    } else {
      reducer.writeView(of: state, to: &writer)
    }
  }
}

/// A response that consists of the route stack.
package struct StackBody: JSONWritable, Sendable {
  package var state: State
  package var reducer: Reducer

  package init(_ state: State, _ reducer: Reducer) {
    self.state = state
    self.reducer = reducer
  }

  package func write(to writer: inout JSONWriter) { reducer.write(routesOf: state, to: &writer) }
}
