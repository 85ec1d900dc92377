import CairnCore
import CairnDefinition

/// The claims about an app: the claims of its author and, for each guarded node and each overlay without an end, a built-in claim that the node can be
/// removed. Each claim about reachability has a number, its index in `reachable`, and two bits in the claim words of every state.
struct Claims: Sendable {
  private(set) var always: [(name: String, when: Guard?, then: Guard)] = []
  private(set) var reachable: [(kind: Finding.Kind, name: String, text: String, from: Guard?, to: Guard)] = []

  init(_ claims: [Claim], about definition: Definition) {
    for claim in claims {
      switch claim.says {
      case .always(let when, let then): always.append((claim.name, when, then))
      case .reachable(let from, let to):
        reachable.append(
          (
            .claim, claim.name, "no state that satisfies the claim's `to` can be reached from the end of this scenario: \(claim.name)",
            from, to
          ))
      }
    }
    let made = definition.flows.values.flatMap(\.arrivals) + definition.operations.flatMap(\.parts.makes)
    let kept = made.filter { $0.contribution.leave != nil || $0.way.staysOverApp }
    for target in Set(kept.map(\.contribution.target)).sorted(by: { $0.name < $1.name }) {
      reachable.append((.kept, target.name, "no action removes \(target.name)", target.isThere, .not(target.isThere)))
    }
  }

  /// The number of words per state for this number of claims.
  static func words(of count: Int) -> Int { (count + 31) / 32 }

  /// The index of the word that contains the bits of a claim.
  static func word(of number: Int) -> Int { number / 32 }

  /// The bit of a claim, in its word, for states in which `from` is true.
  static func begins(_ number: Int) -> UInt64 { 1 << UInt64(2 * (number % 32)) }

  /// The bit of a claim, in its word, for states in which `to` is true.
  static func ends(_ number: Int) -> UInt64 { 2 << UInt64(2 * (number % 32)) }
}

extension Arrival.Way {
  /// Whether the node is an overlay without an end.
  fileprivate var staysOverApp: Bool { if case .overlay(let place) = self { place.time == nil } else { false } }
}

extension Contribution.Target {
  /// The condition that a node with this target exists.
  fileprivate var isThere: Guard {
    switch self {
    case .screen(let name): .screen([name], with: [:])
    case .flow(let name): .flow(name)
    }
  }
}
