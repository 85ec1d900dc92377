import CairnCore

/// Computes a state fingerprint from the words, numbers and texts that are written to it.
struct StateFingerprintWriter {
  private let relevance: Relevance
  private var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  /// The interchangeable values written so far, in order of first use, as indexes into `relevance.fresh`.
  private var seen: [Int] = []

  init(_ relevance: Relevance) { self.relevance = relevance }

  var fingerprint: StateFingerprint { StateFingerprint(high: high ^ (low >> 29), low: low ^ (high >> 31)) }

  @inline(__always)
  mutating func write(_ word: UInt64) {
    high = (high ^ word) &* 0xFF51_AFD7_ED55_8CCD
    high ^= high >> 32
    low = (low &+ word ^ high) &* 0xC4CE_B9FE_1A85_EC53
    low = low << 27 | low >> 37
  }

  mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64(number))) }

  mutating func write(_ flag: Bool) { write(UInt64(flag ? 1 : 0)) }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      write(bytes.count)
      var place = 0
      while place + 8 <= bytes.count {
        write(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var rest: UInt64 = 0
      while place < bytes.count {
        rest = rest << 8 | UInt64(bytes[place])
        place += 1
      }
      write(rest)
    }
  }

  /// Writes a value as precisely as conditions distinguish values.
  mutating func write(_ value: Value?) {
    guard let value else { return write(0 as UInt64) }
    if let place = relevance.fresh.firstIndex(of: value) { return write(fresh: place) }
    switch value {
    case .null: write(1 as UInt64)
    case .bool(let flag): write(flag ? 2 as UInt64 : 3)
    case .integer(let number): write(number: Double(number))
    case .number(let number): write(number: number)
    case .string(let text):
      write(4 as UInt64)
      write(text)
    case .array(let elements):
      write(5 as UInt64)
      write(elements.count)
      for element in elements { write(element) }
    case .object(let members):
      write(6 as UInt64)
      write(members.count)
      for name in members.keys.sorted() {
        write(member: name)
        write(members[name])
      }
    // The kind of the value is sufficient, because conditions only test whether a secret exists.
    case .sealed: write(7 as UInt64)
    }
  }

  /// Writes the name of a member. The name may come from a param, so an interchangeable value is written as its order of first use.
  private mutating func write(member name: String) {
    if let place = relevance.fresh.firstIndex(where: { $0.word == name }) { return write(fresh: place) }
    write(name)
  }

  /// Writes named values. Their order has no effect.
  mutating func write(_ members: [String: Value]) {
    write(members.count)
    guard members.count > 1 else {
      for (name, value) in members {
        write(name)
        write(value)
      }
      return
    }
    for name in members.keys.sorted() {
      write(name)
      write(members[name])
    }
  }

  private mutating func write(number: Double) {
    if relevance.literals.contains(number) || relevance.numbers?.contains(number) ?? false {
      write(7 as UInt64)
      return write(number.bitPattern)
    }
    // A number outside the range of the compared numbers counts only as too large or too small.
    write(number > relevance.numbers?.upperBound ?? number ? 8 as UInt64 : 9)
  }

  private mutating func write(fresh place: Int) {
    write(10 as UInt64)
    if let order = seen.firstIndex(of: place) { return write(order) }
    seen.append(place)
    write(seen.count - 1)
  }

  /// Writes the parts of a value that the definition reads.
  mutating func write(_ value: Value?, seen part: Relevance.Part) {
    if part.isWhole { return write(value) }
    if part.isAddedTo {
      switch value {
      case .integer, .number: write(true)
      default: write(false)
      }
    }
    for (name, member) in part.sorted { write(value?[name], seen: member) }
  }

  /// Writes a step that is sent later, with the params whose values are known.
  mutating func write(_ template: StepTemplate?) {
    guard let template else { return write(0 as UInt64) }
    write(template.step)
    if let to = template.to { write(to.rawValue) }
    for (name, expression) in template.with.sortedByKey {
      write(name)
      // All other expressions come from the definition, so the step's name and its sender determine them.
      if case .literal(let value) = expression { write(value) } else { write(11 as UInt64) }
    }
  }
}

extension Relevance.Part {
  fileprivate var sorted: [(key: String, value: Relevance.Part)] {
    members.count > 1 ? members.sortedByKey : Array(members)
  }
}
