import CairnCore

/// The results of exploring some states of a level, in the order of the states.
struct Expansion: Sendable {
  /// The target state of a move, if `Ground` does not contain the state yet.
  struct Candidate: Sendable {
    var fingerprint: StateFingerprint
    var state: State
    var origin: Ground.Origin
    /// The limit that the state exceeds; `nil` if its moves will be tried.
    var beyond: Beyond?
  }

  /// The target state of a move: a known state by its number, or a candidate by its index.
  enum Target: Sendable {
    case known(UInt32)
    case candidate(Int)
  }

  /// A state that was examined. Its moves were tried unless it exceeds a limit.
  struct Visit: Sendable {
    var state: UInt32
    var traits: Ground.Traits
    /// The bits of the claims about reachability; empty if there are no such claims.
    var claims: [UInt64]
    var moves: [(target: Target, maker: Move.Maker)] = []
  }

  var visits: [Visit] = []
  var candidates: [Candidate] = []
  /// The number of moves tried, including refused moves.
  var transitions = 0
  var observations: [Observation: Location] = [:]
  var reached: Reached = Reached()
}

/// The parts of the app that were reached, each with the first location.
struct Reached: Sendable {
  var screens: [String: Location] = [:]
  /// The branches, by their number in `Trail`.
  var branches: [Int: Location] = [:]
  /// The links that were followed, held and resumed, by their index in the definition.
  var followed: [Int: Location] = [:]
  var held: [Int: Location] = [:]
  var resumed: [Int: Location] = [:]
  /// The links whose page was seen at least once, by their index in the definition.
  var seen: Set<Int> = []
  /// The indexes of the claims about all states whose `when` was true in some state.
  var judged: Set<Int> = []
  /// The transitions that the cover must take; empty unless a cover is requested.
  var passages: [Passage: Location] = [:]

  /// Whether the same screens, branches and links were reached. The locations are not compared.
  func isSame(as other: Reached) -> Bool {
    screens.keys == other.screens.keys && branches.keys == other.branches.keys && followed.keys == other.followed.keys && seen == other.seen
      && resumed.keys == other.resumed.keys
  }

  /// Merges the results of another part. Existing locations are kept, because they are nearer to the start.
  mutating func add(_ other: Reached) {
    screens.merge(other.screens) { first, _ in first }
    branches.merge(other.branches) { first, _ in first }
    followed.merge(other.followed) { first, _ in first }
    seen.formUnion(other.seen)
    held.merge(other.held) { first, _ in first }
    resumed.merge(other.resumed) { first, _ in first }
    judged.formUnion(other.judged)
    passages.merge(other.passages) { first, _ in first }
  }
}
