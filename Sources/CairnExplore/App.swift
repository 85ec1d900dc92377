import CairnCore
import CairnDefinition
import CairnRuntime

/// The app to explore, with its possible moves, its claims and the limits.
struct App: Sendable {
  let reducer: Reducer
  let catalogue: Catalogue
  let relevance: Relevance
  let claims: Claims
  var limits: Limits
  let starts: [Start]
  /// The values that are not tried although a condition can distinguish them.
  let doubts: [Doubt]
  /// The migration to another definition that must be possible in every state; `nil` if the exploration does not check a migration.
  let migrator: Migrator?
  /// Whether scenarios that take every transition are requested (`Exploration.cover`).
  let covers: Bool

  init(_ definition: Definition, _ claims: [Claim], given: Start, _ limits: Limits, covers: Bool, migration: (Definition, Migration)? = nil)
  {
    self.covers = covers
    let palette = Palette(definition, claims)
    let reducer = Reducer(definition, zones: ZoneFiles.content)
    self.reducer = reducer
    migrator = migration.map { Migrator(from: reducer, to: Reducer($0.0, zones: ZoneFiles.content), by: $0.1) }
    relevance = Relevance(definition, claims, palette)
    catalogue = Catalogue(reducer, palette, relevance, environment: given.environment)
    var isWhole = true
    starts = Start.all(of: definition, palette, relevance, claims, given: given, isWhole: &isWhole)
    doubts = catalogue.doubts + (isWhole ? [] : [Doubt("starts: conditions read more than 16 combinations of the facts' values")])
    self.claims = Claims(claims, about: definition)
    self.limits = limits
  }
}

/// A state on the current or next level of the search, with its number in `Ground`.
struct Frontier: Sendable {
  var number: UInt32
  var state: State
  var depth: UInt16
  /// Whether the state exceeds a limit. Claims are checked in such a state, but its moves are not tried.
  var isBeyond: Bool
}
