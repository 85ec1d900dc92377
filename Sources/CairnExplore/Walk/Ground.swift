import CairnCore

/// The states that were found and the moves between them. States are numbered in the order of discovery, which is the order of their distance from a
/// start. The states themselves are not stored: each one can be recomputed by replaying the path to it.
struct Ground {
  /// The state and move by which each state was found first. For a start, `state` is its index among the starts.
  private(set) var origins: [Origin] = []
  private(set) var traits: [Traits] = []
  /// Two bits per state for each claim about reachability: whether `from` is true, and whether `to` is true. Each state has `claimWords` words.
  private var claimBits: [UInt64] = []
  private let claimWords: Int
  /// The moves between states, grouped by source. The moves of state n end at `ends[n]`.
  private(set) var arrows: [Arrow] = []
  private(set) var ends: [Int] = []
  private var numbers: [StateFingerprint: UInt32] = [:]

  /// Creates an empty table of states. `claims` is the number of claims about reachability.
  init(claims: Int) { claimWords = Claims.words(of: claims) }

  struct Origin {
    var state: UInt32
    var move: UInt16
    /// The number of moves from a start.
    var depth: UInt16
  }

  struct Traits: OptionSet {
    let rawValue: UInt8
    /// All moves of the state were tried.
    static let isExpanded = Traits(rawValue: 1)
    /// The state exceeds a limit, some of its moves were not tried, or the target of a move was not added because of the limit of states.
    static let isEdge = Traits(rawValue: 2)
    /// A move from the state makes progress for the user.
    static let isAlive = Traits(rawValue: 4)
    /// The state is a start.
    static let isStart = Traits(rawValue: 8)
  }

  /// A move to another state.
  struct Arrow {
    private let word: UInt32

    init(to state: UInt32, by maker: Move.Maker) { word = state << 3 | UInt32(maker.rawValue) }

    var state: Int { Int(word >> 3) }
    var maker: Move.Maker { Move.Maker(rawValue: UInt8(word & 7)) ?? .user }
  }

  /// The maximum number of states, because 29 bits of an arrow contain the state's number.
  static let most = 1 << 29 - 1

  var count: Int { origins.count }

  /// The number of a state; `nil` if it is unknown.
  func number(of fingerprint: StateFingerprint) -> UInt32? { numbers[fingerprint] }

  /// Returns the number of a state. Adds the state if it is new.
  mutating func add(_ fingerprint: StateFingerprint, _ origin: Origin, isStart: Bool = false) -> (number: UInt32, isNew: Bool) {
    if let known = numbers[fingerprint] { return (known, false) }
    let number = UInt32(origins.count)
    numbers[fingerprint] = number
    origins.append(origin)
    traits.append(isStart ? .isStart : [])
    for _ in 0..<claimWords { claimBits.append(0) }
    return (number, true)
  }

  mutating func mark(_ state: UInt32, _ new: Traits, claims: [UInt64] = []) {
    traits[Int(state)].formUnion(new)
    for (index, word) in claims.enumerated() { claimBits[Int(state) * claimWords + index] |= word }
  }

  /// Whether `from` and `to` of a claim about reachability are true in a state.
  func claim(_ number: Int, in state: Int) -> (begins: Bool, ends: Bool) {
    let word = claimBits[state * claimWords + Claims.word(of: number)]
    return (word & Claims.begins(number) != 0, word & Claims.ends(number) != 0)
  }

  /// Appends the moves of a state. Must be called in the order of the states' numbers; skipped states have no moves.
  mutating func append(_ new: [Arrow], of state: UInt32) {
    while ends.count < Int(state) { ends.append(arrows.count) }
    arrows += new
    ends.append(arrows.count)
  }

  func arrows(of state: Int) -> ArraySlice<Arrow> {
    guard state < ends.count else { return [] }
    return arrows[(state == 0 ? 0 : ends[state - 1])..<ends[state]]
  }

  /// The states from which a path of moves by these makers reaches one of the goals, including the goals.
  func backwards(from goals: [Bool], by makers: (Move.Maker) -> Bool) -> [Bool] {
    // The reversed arrows: the sources of the moves to each state.
    var counts = [UInt32](repeating: 0, count: count + 1)
    for arrow in arrows where makers(arrow.maker) { counts[arrow.state + 1] += 1 }
    for state in 0..<count { counts[state + 1] += counts[state] }
    var sources = [UInt32](repeating: 0, count: Int(counts[count]))
    var places = counts
    for state in 0..<min(count, ends.count) {
      for arrow in arrows(of: state) where makers(arrow.maker) {
        sources[Int(places[arrow.state])] = UInt32(state)
        places[arrow.state] += 1
      }
    }
    var reached = goals
    var open = goals.indices.filter { goals[$0] }
    while let state = open.popLast() {
      for source in sources[Int(counts[state])..<Int(counts[state + 1])] where !reached[Int(source)] {
        reached[Int(source)] = true
        open.append(Int(source))
      }
    }
    return reached
  }
}
