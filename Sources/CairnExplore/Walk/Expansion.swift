import CairnCore

/// The states found from some states of one level, in their order.
struct Expansion: Sendable {
  /// A state that was not known before this level.
  struct Candidate: Sendable {
    var likeness: Likeness
    var state: State
    var origin: Ground.Origin
    /// nil: it is to be tried out.
    var beyond: Beyond?
  }

  /// Where a move leads.
  enum Target: Sendable {
    case known(UInt32)
    case candidate(Int)
  }

  /// A state that was looked at, and tried out unless it lies beyond the limits.
  struct Visit: Sendable {
    var state: UInt32
    var traits: Ground.Traits
    /// The bits of the claims about reachability; none where there are none.
    var claims: [UInt64]
    var moves: [(target: Target, maker: Move.Maker)] = []
  }

  var visits: [Visit] = []
  var candidates: [Candidate] = []
  /// All moves that were made, refused ones too.
  var transitions = 0
  var sightings: [Sighting: Spot] = [:]
  var reached: Reached = Reached()
}

/// The claims that were reached, and where first.
struct Reached: Sendable {
  var screens: [String: Spot] = [:]
  /// By the number of `Trail`.
  var branches: [Int: Spot] = [:]
  /// Links that were followed, held and resumed, by their place in the definition.
  var followed: [Int: Spot] = [:]
  var held: [Int: Spot] = [:]
  var resumed: [Int: Spot] = [:]
  /// Claims about all states whose `when` held, by their place.
  var judged: Set<Int> = []
  /// The transitions that a cover has to take; empty unless a cover is requested.
  var passages: [Passage: Spot] = [:]

  /// Whether the same was reached, wherever.
  func isSame(as other: Reached) -> Bool {
    screens.keys == other.screens.keys && branches.keys == other.branches.keys && followed.keys == other.followed.keys
      && resumed.keys == other.resumed.keys
  }

  /// Adds states reached by another expansion. Existing ones are nearer to the start.
  mutating func add(_ other: Reached) {
    screens.merge(other.screens) { first, _ in first }
    branches.merge(other.branches) { first, _ in first }
    followed.merge(other.followed) { first, _ in first }
    held.merge(other.held) { first, _ in first }
    resumed.merge(other.resumed) { first, _ in first }
    judged.formUnion(other.judged)
    passages.merge(other.passages) { first, _ in first }
  }
}
