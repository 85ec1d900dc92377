/// Steps by their numbers, as bits.
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
}
