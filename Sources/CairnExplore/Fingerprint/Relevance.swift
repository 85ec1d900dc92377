import CairnCore

/// The parts of a state that the conditions and references of a definition read. States that differ only in other parts have the same fingerprint.
struct Relevance: Sendable {
  /// The names of the facts that are read, sorted.
  var facts: [String] = []
  /// The names of the facts of flows that are read, sorted.
  var flowFacts: [String] = []
  /// The names of the params that are read, by screen or flow, sorted.
  var params: [String: [String]] = [:]
  /// The parts of content that are read.
  var content = Part()
  /// Whether a condition reads the status of a load.
  var seesStatus = false
  /// Whether the app uses OAuth, so that states with a different login status are distinguished.
  var seesLogin = false
  /// The durations in milliseconds at which a condition on `away` changes its result, ascending. Durations between two of them are equivalent.
  var awayMarks: [Int] = []
  /// The moments at which conditions become true, if they depend only on facts of the session.
  var moments: [Moment] = []
  /// Sample values that no condition names. They are interchangeable: states differ only in whether the same value occurs twice.
  var fresh: [Value] = []
  /// The range of the numbers that conditions compare with, extended by one on both sides; `nil` if conditions compare with no numbers. All
  /// larger numbers are equivalent to each other, and so are all smaller numbers.
  var numbers: ClosedRange<Double>?
  /// Numbers that occur in the definition. They are always distinguished.
  var literals: Set<Double> = []

  init() {}

  /// The number of `awayMarks` that are not later than `time`.
  func marks(passedAt time: Int) -> Int { awayMarks.count { $0 <= time } }

  /// The parts of a value that are read.
  struct Part: Sendable {
    /// Whether the whole value is read.
    var isWhole = false
    /// Whether a number is added to the value. States then differ at least in whether the value is a number.
    var isAddedTo = false
    var members: [String: Part] = [:]

    init() {}

    /// Whether no part of the value is read.
    var isEmpty: Bool { !isWhole && !isAddedTo && members.isEmpty }

    /// Records that the value at the end of a path is read. A `$member` can be any member, so the whole value before it counts as read.
    mutating func read(_ path: some Collection<String>, isAddedTo: Bool = false) {
      guard let member = path.first, member.first != "$" else {
        if isAddedTo && path.isEmpty { self.isAddedTo = true } else { isWhole = true }
        return
      }
      members[member, default: Part()].read(path.dropFirst(), isAddedTo: isAddedTo)
    }
  }
}
