/// A set of step numbers, stored as bits.
struct StepSet: Sendable {
  private var words: [UInt64]

  init(_ numbers: some Sequence<Int>) {
    words = []
    for number in numbers {
      while words.count <= number / 64 { words.append(0) }
      words[number / 64] |= 1 << UInt64(number % 64)
    }
  }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  mutating func formUnion(_ other: StepSet) {
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }

  func intersection(_ other: StepSet) -> StepSet {
    var both = self
    for index in both.words.indices { both.words[index] &= index < other.words.count ? other.words[index] : 0 }
    return both
  }

  /// The numbers in ascending order, which is the order of the names.
  var numbers: [Int] {
    var numbers: [Int] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        numbers.append(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return numbers
  }
}
