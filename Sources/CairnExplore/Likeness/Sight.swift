import CairnCore

/// The parts of a state that the conditions and references of a definition read. Two states that differ only in other parts are equal for
/// it.
struct Sight: Sendable {
  /// The facts that are read, sorted.
  var facts: [String] = []
  /// The params of screens that are read, sorted, by screen.
  var params: [String: [String]] = [:]
  /// The members of content that are read.
  var content = Part()
  /// Whether a condition looks at what became of a load.
  var seesStatus = false
  /// Whether logging in is the app's own, so that how far it is counts.
  var seesLogin = false
  /// Milliseconds at which a condition on `away` begins to say something else, ascending: between two of them every time is alike.
  var awayMarks: [Int] = []
  /// Values that stand for any that no condition names. Which of them is which does not count, only where the same one stands.
  var fresh: [Value] = []
  /// The numbers that conditions compare with, and one more on both sides: beyond them all numbers are alike. nil: there are none.
  var numbers: ClosedRange<Double>?
  /// Numbers that stand somewhere in the definition: they are themselves.
  var literals: Set<Double> = []

  init() {}

  /// How many marks a time is beyond.
  func marks(passedAt time: Int) -> Int { awayMarks.count { $0 <= time } }

  /// A part of a value that is read.
  struct Part: Sendable {
    /// The value itself is read, whatever is in it.
    var isWhole = false
    /// A number is added to it: whether it is one counts, if nothing else does.
    var isAddedTo = false
    var members: [String: Part] = [:]

    init() {}

    /// Whether nothing of it is read.
    var isEmpty: Bool { !isWhole && !isAddedTo && members.isEmpty }

    /// Notes that what stands at the end of a path is read; a member that a param names is any member.
    mutating func read(_ path: some Collection<String>, isAddedTo: Bool = false) {
      guard let member = path.first, member.first != "$" else {
        if isAddedTo && path.isEmpty { self.isAddedTo = true } else { isWhole = true }
        return
      }
      members[member, default: Part()].read(path.dropFirst(), isAddedTo: isAddedTo)
    }
  }
}
