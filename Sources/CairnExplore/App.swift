import CairnCore
import CairnDefinition

/// An app that is tried out, and how.
struct App: Sendable {
  let reducer: Reducer
  let catalogue: Catalogue
  let sight: Sight
  let claims: Claims
  var limits: Limits
  let starts: [Start]
  /// Whether a cover is asked for.
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

/// A state that is to be tried out.
struct Frontier: Sendable {
  var number: UInt32
  var state: State
  var depth: UInt16
  /// It lies beyond the limits: it is looked at and not tried out.
  var isBeyond: Bool
}
