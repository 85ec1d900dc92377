package import CairnCore

/// A claim of the app's author about all states of the app, which `cairn explore` checks.
package struct Claim: Sendable {
  /// The claim as a sentence, for reports.
  package var name: String
  package var says: Saying
  /// The line of the claim in the file, from 1.
  package var line: Int

  package enum Saying: Sendable {
    /// The condition `then` is true in every state in which `when` is true. If `when` is `nil`, `then` is true in every state.
    case always(when: Guard?, then: Guard)
    /// From every state in which `from` is true, a state in which `to` is true can be reached. If `from` is `nil`, the claim applies to
    /// every state.
    case reachable(from: Guard?, to: Guard)
  }

  package init(name: String, _ says: Saying, line: Int = 0) {
    self.name = name
    self.says = says
    self.line = line
  }

  /// The conditions of the claim.
  package var guards: [Guard] {
    switch says {
    case .always(let when, let then): [when, then].compactMap(\.self)
    case .reachable(let from, let to): [from, to].compactMap(\.self)
    }
  }
}
