/// Identifies a state of a journal. The mark is stored both in the journal and beside the list of erasures. If a journal has neither the
/// mark that its list has nor a later one, the journal has returned to an older state.
struct ErasureMark: Hashable, Sendable {
  /// The number of the mark. The marks of a journal have ascending numbers.
  var number: Int
  /// A random value, which distinguishes marks with the same number.
  var token: [UInt8]

  init(number: Int, token: [UInt8]) {
    self.number = number
    self.token = token
  }

  /// Reads the value in the table `settings`: the number, and the token in hexadecimal. Returns `nil` if the value is not a mark.
  init?(_ value: [UInt8]) {
    let words = String(decoding: value, as: UTF8.self).split(separator: " ")
    guard words.count == 2, let number = Int(words[0]), words[1].utf8.count % 2 == 0 else { return nil }
    let digits = Array(words[1])
    let token = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    guard !token.contains(nil) else { return nil }
    self.init(number: number, token: token.compactMap { $0 })
  }

  /// The value in the table `settings`.
  var value: [UInt8] {
    Array("\(number) \(token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())".utf8)
  }

  /// The mark that follows `mark`, or the first mark.
  static func next(after mark: ErasureMark?) -> ErasureMark {
    ErasureMark(number: (mark?.number ?? 0) &+ 1, token: (0..<8).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Whether a journal with the mark `found` is at least as new as a journal with this mark.
  func isReached(by found: ErasureMark?) -> Bool {
    guard let found else { return false }
    return found.number > number || found == self
  }
}
