import CairnCore
import CairnDefinition

/// The claims of an app, those about reachability by a number of their own: each has two bits of a state's words.
struct Claims: Sendable {
  var always: [(claim: Claim, when: Guard?, then: Guard)] = []
  var reachable: [(claim: Claim, from: Guard?, to: Guard)] = []

  init(_ claims: [Claim]) {
    for claim in claims {
      switch claim.says {
      case .always(let when, let then): always.append((claim, when, then))
      case .reachable(let from, let to): reachable.append((claim, from, to))
      }
    }
  }

  /// How many words that many claims take.
  static func words(of count: Int) -> Int { (count + 31) / 32 }

  /// The word with the bits of a claim.
  static func word(of number: Int) -> Int { number / 32 }

  /// The bit of a state to begin at, in that word.
  static func begins(_ number: Int) -> UInt64 { 1 << UInt64(2 * (number % 32)) }

  /// The bit of a state to reach, in that word.
  static func ends(_ number: Int) -> UInt64 { 2 << UInt64(2 * (number % 32)) }
}
