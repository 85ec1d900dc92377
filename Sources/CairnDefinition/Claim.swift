package import CairnCore

/// A claim of the app's author about all states of the app.
package struct Claim: Sendable {
  /// A sentence.
  package var name: String
  package var says: Saying
  /// Its line in the file, from 1.
  package var line: Int

  package enum Saying: Sendable {
    /// Wherever the one condition holds (nil: everywhere), the other one does.
    case always(when: Guard?, then: Guard)
    /// From each state of the one kind (nil: from each) there is a way to one of the other kind.
    case reachable(from: Guard?, to: Guard)
  }

  package init(name: String, _ says: Saying, line: Int = 0) {
    self.name = name
    self.says = says
    self.line = line
  }

  /// The conditions that it reads.
  package var guards: [Guard] {
    switch says {
    case .always(let when, let then): [when, then].compactMap(\.self)
    case .reachable(let from, let to): [from, to].compactMap(\.self)
    }
  }
}
