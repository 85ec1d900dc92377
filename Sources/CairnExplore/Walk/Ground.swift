import CairnCore

/// The states that were reached, by numbers in the order in which they were found, nearest to the start first; and the moves between them.
/// The states themselves are not kept: each is the end of the way to it.
struct Ground {
  /// Where a state was found from, and by which of the moves there; of a start its own number among the starts.
  private(set) var origins: [Origin] = []
  private(set) var traits: [Traits] = []
  /// For each claim about reachability two bits, `claimWords` words a state: the state is one to begin at, and one to reach.
  private var claimBits: [UInt64] = []
  private let claimWords: Int
  /// Moves from state to state, of one state after the other; `ends[n]` is where those of state n end.
  private(set) var arrows: [Arrow] = []
  private(set) var ends: [Int] = []
  private var numbers: [Likeness: UInt32] = [:]

  /// `claims`: how many are about reachability.
  init(claims: Int) { claimWords = Claims.words(of: claims) }

  struct Origin {
    var state: UInt32
    var move: UInt16
    /// Moves from a start.
    var depth: UInt16
  }

  struct Traits: OptionSet {
    let rawValue: UInt8
    /// All that can happen in it was tried.
    static let isExpanded = Traits(rawValue: 1)
    /// Something that can happen leads beyond the limits, or it lies beyond them itself.
    static let isEdge = Traits(rawValue: 2)
    /// A user can make progress from it.
    static let isAlive = Traits(rawValue: 4)
    /// It is a start.
    static let isStart = Traits(rawValue: 8)
  }

  /// A move to another state.
  struct Arrow {
    private let word: UInt32

    init(to state: UInt32, by maker: Move.Maker) { word = state << 3 | UInt32(maker.rawValue) }

    var state: Int { Int(word >> 3) }
    var maker: Move.Maker { Move.Maker(rawValue: UInt8(word & 7)) ?? .user }
  }

  /// More states than this have no numbers.
  static let most = 1 << 29 - 1

  var count: Int { origins.count }

  /// nil: it is not known.
  func number(of likeness: Likeness) -> UInt32? { numbers[likeness] }

  /// The number of a state that may be new.
  mutating func add(_ likeness: Likeness, _ origin: Origin, isStart: Bool = false) -> (number: UInt32, isNew: Bool) {
    if let known = numbers[likeness] { return (known, false) }
    let number = UInt32(origins.count)
    numbers[likeness] = number
    origins.append(origin)
    traits.append(isStart ? .isStart : [])
    for _ in 0..<claimWords { claimBits.append(0) }
    return (number, true)
  }

  mutating func mark(_ state: UInt32, _ new: Traits, claims: [UInt64] = []) {
    traits[Int(state)].formUnion(new)
    for (index, word) in claims.enumerated() { claimBits[Int(state) * claimWords + index] |= word }
  }

  /// Whether a state is one to begin at, and one to reach, by a claim about reachability.
  func claim(_ number: Int, in state: Int) -> (begins: Bool, ends: Bool) {
    let word = claimBits[state * claimWords + Claims.word(of: number)]
    return (word & Claims.begins(number) != 0, word & Claims.ends(number) != 0)
  }

  /// Appends the moves of the next state, in the order of the numbers; the states skipped before it have none.
  mutating func append(_ new: [Arrow], of state: UInt32) {
    while ends.count < Int(state) { ends.append(arrows.count) }
    arrows += new
    ends.append(arrows.count)
  }

  func arrows(of state: Int) -> ArraySlice<Arrow> {
    guard state < ends.count else { return [] }
    return arrows[(state == 0 ? 0 : ends[state - 1])..<ends[state]]
  }

  /// The states from which moves of these makers lead to one of the given ones, those included.
  func backwards(from goals: [Bool], by makers: (Move.Maker) -> Bool) -> [Bool] {
    // The arrows the other way round: for each state where they come from.
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
