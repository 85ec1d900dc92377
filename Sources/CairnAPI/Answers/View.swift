package import CairnCore

/// What a client sees of a state.
package struct View: Encodable, Sendable {
  /// The last entry of the stack; nil while nothing is shown.
  package var visible: RouteEntry?
  package var stack: [RouteEntry]
  package var tree: Tree

  package init(of state: State, _ reducer: Reducer) {
    stack = reducer.routes(of: state)
    visible = stack.last
    tree = reducer.tree(of: state)
  }
}
