/// Compiles a pattern into the states of a `TextPattern`. The element of a repetition is compiled as many times as it can occur.
struct PatternCompiler {
  private(set) var states: [TextPattern.State] = []
  private(set) var ranges: [UInt32] = []
  private let text: [UInt32]
  private var place = 0
  private var depth = 0

  /// Maximum depth of nested groups.
  private static let deepest = 8
  /// Maximum count in a repetition such as `{2,9}`.
  private static let mostTimes = 100

  init(_ text: String) { self.text = text.unicodeScalars.map { $0.value } }

  mutating func compile() throws(TextPattern.Fault) {
    if text.count > TextPattern.most { throw .tooLarge }
    try alternatives()
    if place < text.count { throw .unclosed }
    try add(.end)
  }

  private mutating func add(_ state: TextPattern.State) throws(TextPattern.Fault) {
    if states.count >= TextPattern.most { throw .tooLarge }
    states.append(state)
  }

  /// Reads the next scalar if it equals `scalar`. Returns whether the scalar was read.
  private mutating func reads(_ scalar: Unicode.Scalar) -> Bool {
    guard place < text.count, text[place] == scalar.value else { return false }
    place += 1
    return true
  }

  private mutating func next() throws(TextPattern.Fault) -> UInt32 {
    guard place < text.count else { throw .unclosed }
    place += 1
    return text[place - 1]
  }

  /// Compiles `a|b|c`, up to the end or to `)`.
  private mutating func alternatives() throws(TextPattern.Fault) {
    var ends: [Int] = []
    while true {
      let start = states.count
      try add(.fork(start + 1, start + 1))
      while place < text.count, text[place] != "|", text[place] != ")" { try repetition() }
      guard reads("|") else { break }
      ends.append(states.count)
      try add(.end)
      states[start] = .fork(start + 1, states.count)
    }
    for end in ends { states[end] = .fork(states.count, states.count) }
  }

  /// Compiles an element and its quantifier, if one follows.
  private mutating func repetition() throws(TextPattern.Fault) {
    let (start, first) = (place, states.count)
    try element()
    let end = place
    guard let (least, most) = try times() else { return }
    let after = place
    states.removeSubrange(first...)
    for _ in 0..<least { try element(at: start) }
    if let most {
      if most < least { throw .count }
      var forks: [Int] = []
      for _ in least..<most {
        forks.append(states.count)
        try add(.end)
        try element(at: start)
      }
      for fork in forks { states[fork] = .fork(fork + 1, states.count) }
    } else {
      let fork = states.count
      try add(.end)
      try element(at: start)
      try add(.fork(fork, fork))
      states[fork] = .fork(fork + 1, states.count)
    }
    place = after
    if end < after, try times() != nil { throw .quantifier }
  }

  private mutating func element(at start: Int) throws(TextPattern.Fault) {
    place = start
    try element()
  }

  /// Reads `?`, `*`, `+`, `{n}`, `{n,}` or `{n,m}`. Returns `nil` if none of them follows. Throws `count` if a count is missing or too high.
  private mutating func times() throws(TextPattern.Fault) -> (least: Int, most: Int?)? {
    if reads("?") { return (0, 1) }
    if reads("*") { return (0, nil) }
    if reads("+") { return (1, nil) }
    guard reads("{") else { return nil }
    guard let least = number() else { throw .count }
    if reads("}") { return (least, least) }
    guard reads(",") else { throw .count }
    if reads("}") { return (least, nil) }
    guard let most = number(), reads("}") else { throw .count }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while place < text.count, (0x30...0x39).contains(text[place]), number ?? 0 <= Self.mostTimes {
      number = (number ?? 0) * 10 + Int(text[place] - 0x30)
      place += 1
    }
    return number ?? 0 > Self.mostTimes ? nil : number
  }

  /// Compiles a group, a class or a single character.
  private mutating func element() throws(TextPattern.Fault) {
    let from = ranges.count
    var isNegated = false
    let scalar = try next()
    switch scalar {
    case "(":
      if reads("?"), !reads(":") { throw .group }
      depth += 1
      if depth > Self.deepest { throw .tooDeep }
      try alternatives()
      depth -= 1
      if !reads(")") { throw .unclosed }
      return
    case "[":
      isNegated = reads("^")
      try members()
    case ".":
      // As in ECMAScript, `.` matches no line terminators.
      isNegated = true
      ranges += [0xA, 0xA, 0xD, 0xD, 0x2028, 0x2029]
    case "\\": if try !escaped() { throw .escape }
    case "^", "$": throw .anchor
    case "?", "*", "+": throw .quantifier
    case "]", "{", "}": throw .unescaped
    default: ranges += [scalar, scalar]
    }
    try add(.one(of: from..<ranges.count, isNegated: isNegated))
  }

  /// Reads the members of a class up to `]`.
  private mutating func members() throws(TextPattern.Fault) {
    let from = ranges.count
    while !reads("]") {
      let first = try member()
      // A `-` at the end of a class is a member.
      guard place + 1 < text.count, text[place] == "-", text[place + 1] != "]" else { continue }
      place += 1
      guard let low = first, let high = try member(), low <= high else { throw .range }
      ranges.removeLast(2)
      ranges[ranges.count - 1] = high
    }
    if ranges.count == from { throw .range }
  }

  /// Reads one member of a class. Returns its scalar; `nil` for a member that matches several characters, such as `\d`.
  private mutating func member() throws(TextPattern.Fault) -> UInt32? {
    let scalar = try next()
    if scalar == "[" { throw .unescaped }
    guard scalar == "\\" else {
      ranges += [scalar, scalar]
      return scalar
    }
    if reads("-") {
      ranges += [0x2D, 0x2D]
      return 0x2D
    }
    let count = ranges.count
    if try !escaped() { throw .escape }
    return ranges.count == count + 2 && ranges[count] == ranges[count + 1] ? ranges[count] : nil
  }

  /// Reads the character after `\`: `d`, `w`, or a character that has a special meaning without `\`. Returns false for any other character.
  private mutating func escaped() throws(TextPattern.Fault) -> Bool {
    let scalar = try next()
    switch scalar {
    case "d": ranges += [0x30, 0x39]
    case "w": ranges += [0x30, 0x39, 0x41, 0x5A, 0x5F, 0x5F, 0x61, 0x7A]
    case "\\", "^", "$", ".", "[", "]", "{", "}", "(", ")", "|", "?", "*", "+", "/": ranges += [scalar, scalar]
    default: return false
    }
    return true
  }
}

/// Compares a scalar value of a pattern with a character, usually a literal such as `"("`.
private func ~= (character: Unicode.Scalar, scalar: UInt32) -> Bool { character.value == scalar }
private func == (scalar: UInt32, character: Unicode.Scalar) -> Bool { character.value == scalar }
private func != (scalar: UInt32, character: Unicode.Scalar) -> Bool { character.value != scalar }
