import CairnCore
import CairnScenario

/// Plays a scenario on another player, and prints the tree after the start and after each event.
struct PrintingPlayer<Base: Player>: Player {
  private(set) var base: Base
  private let write: (String) -> Void

  init(_ base: Base, write: @escaping (String) -> Void = { Terminal.print($0) }) {
    self.base = base
    self.write = write
  }

  var definition: Definition { base.definition }

  mutating func start(_ given: Scenario.Given) throws -> Played {
    let played = try base.start(given)
    try show("start", played)
    return played
  }

  mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played {
    let played = try base.play(occurrence)
    try show(occurrence.text, played)
    return played
  }

  func look() throws -> Look { try base.look() }

  /// Prints an event and the tree after it. While the client has no network, this is the tree that the client shows. If the event was
  /// refused, also prints the code of the refusal. Otherwise prints the outcome, if the outcome has a reason.
  private func show(_ event: String, _ played: Played) throws {
    let result = played.refusal.map { "refused, \($0.code)" } ?? played.reason.map { "\(played.outcome), \($0)" }
    write("    \(event)" + (result.map { ": \($0)" } ?? ""))
    for refusal in played.refusals ?? [] { write("        refused: \(refusal.name), \(refusal.refusal.code)") }
    write("        \(try played.shown ?? base.look().tree)")
  }
}
