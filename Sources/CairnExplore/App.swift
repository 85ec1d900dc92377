import CairnCore
import CairnDefinition

/// The app to explore, with its possible moves, its claims and the limits.
struct App: Sendable {
  let reducer: Reducer
  let catalogue: Catalogue
  let sight: Sight
  let claims: Claims
  var limits: Limits
  let starts: [Start]
  /// Whether scenarios that take every transition are requested (`Exploration.cover`).
  let covers: Bool

  init(_ definition: Definition, _ claims: [Claim], given: Start, _ limits: Limits, covers: Bool) {
    self.covers = covers
    let palette = Palette(definition, claims)
    reducer = Reducer(definition)
    sight = Sight(definition, claims, fresh: palette.fresh)
    catalogue = Catalogue(reducer, palette, sight, environment: given.environment)
    starts = Start.all(of: definition, palette, sight, claims, given: given)
    self.claims = Claims(claims, about: definition)
    self.limits = limits
  }
}

/// A state of the next level of the search.
struct Frontier: Sendable {
  var number: UInt32
  var state: State
  var depth: UInt16
  /// Whether the state exceeds a limit. Claims are checked in it, but none of its moves are tried.
  var isBeyond: Bool
}
