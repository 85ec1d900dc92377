// Finds the node whose content an expression or a condition reads.
extension Evaluator {
  /// The nearest node at a place, as seen from the sender; `nil` if there is none.
  func node(at place: Place, in scope: Scope, _ state: State) -> NodeID? {
    PlaceSearch(place, in: scope, state, by: self).nearest(from: state.speaker(scope.emitter))
  }

  /// The content that a condition reads: the content of the nearest node at this place, or of the sender if `place` is `nil`.
  func content(of place: Place?, in scope: Scope, _ state: State) -> Content? {
    guard let place else { return content(of: scope.emitter, state) }
    return node(at: place, in: scope, state).flatMap { state.nodes.details(of: $0).content }
  }
}
