import CairnCore

/// The known members of a map, by name.
struct Fields {
  /// The position of the map.
  let position: Position
  fileprivate(set) var members: [String: Element.Member] = [:]
  /// The names of an earlier version of the language, which have been reported.
  fileprivate(set) var former: [String] = []

  init(position: Position) { self.position = position }

  subscript(name: String) -> Element? { members[name]?.element }

  mutating func add(_ member: Element.Member) { members[member.name] = member }

  /// The position of a member's name; that of the map if the member is missing.
  func position(of name: String) -> Position { members[name]?.position ?? position }
}

extension DefinitionReader {
  /// Reads a map with a fixed set of names. A misspelt name is reported and read as the intended one, so that one misspelling causes one
  /// message. Returns `nil` if the element is not a map.
  mutating func fields(of element: Element, _ what: String, _ table: MemberTable) -> Fields? {
    let known = table.names
    let required = table.required
    guard let members = element.members ?? (element.isNull && required.isEmpty ? [] : nil) else {
      let wanted = required.isEmpty ? known : required
      report("\(what) must be a map with \(english(wanted, "and")), not \(article(element.kindName))", at: element.position)
      return nil
    }
    var fields = Fields(position: element.position)
    for member in members where known.contains(member.name) { fields.members[member.name] = member }
    var hasStranger = false
    for member in members where !known.contains(member.name) {
      let free = known.filter { fields.members[$0] == nil }
      if let former = table.former.first(where: { $0.name == member.name }) {
        hasStranger = true
        fields.former.append(former.name)
        report("\(what) no longer has the member \(member.name): \(former.remedy)", at: member.position)
      } else if let meant = NearestName.of(member.name, among: free) {
        report("\(what) has no member \(member.name); did you mean \(meant)?", at: member.position)
        fields.members[meant] = member
      } else if known.contains(where: { NearestName.of(member.name, among: [$0]) != nil }) || known.isEmpty {
        report("\(what) has no member \(member.name)", at: member.position)
      } else {
        hasStranger = true
        report("\(what) has no member \(member.name); the members are \(english(known, "and"))", at: member.position)
      }
    }
    let missing = required.filter { fields.members[$0] == nil }
    if !missing.isEmpty && !hasStranger { report("\(what) needs \(english(missing, "and"))", at: element.position) }
    return fields
  }

  /// The elements of a list; empty if the element is missing or null. Any other value is reported.
  mutating func list(_ element: Element?, _ what: String) -> [Element] {
    guard let element, !element.isNull else { return [] }
    guard let list = element.list else {
      report("\(what) must be a list, not \(article(element.kindName))", at: element.position)
      return []
    }
    return list
  }

  /// The elements of a list, or the element itself if it is not a list.
  func oneOrMore(_ element: Element?) -> [Element] { element.map { $0.list ?? [$0] } ?? [] }

  mutating func text(_ element: Element, _ what: String) -> String? {
    if let text = element.text, !text.isEmpty { return text }
    let rule = element.text == nil ? "must be a string, not \(article(element.kindName))" : "must not be empty"
    report("\(what) \(rule)", at: element.position)
    return nil
  }

  mutating func texts(_ element: Element?, _ what: String) -> [String] {
    var texts: [String] = []
    for element in oneOrMore(element) { if let text = text(element, what) { texts.append(text) } }
    return texts
  }

  mutating func flag(_ element: Element?, _ what: String) -> Bool {
    guard let element else { return false }
    if case .scalar(.bool(let flag)) = element.content { return flag }
    report("\(what) must be true or false, not \(described(element))", at: element.position)
    return false
  }

  /// Reads one of the words of an enum, or of `allowed`. Reports any other text, with the nearest word, and returns `nil`.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ element: Element?, _ what: String, among allowed: [Word] = Array(Word.allCases)
  ) -> Word? where Word.RawValue == String {
    guard let element else { return nil }
    let words = allowed.map(\.rawValue)
    if let text = element.text, words.contains(text) { return Word(rawValue: text) }
    let meant = element.text.flatMap { NearestName.of($0, among: words) }.map { "; did you mean \($0)?" } ?? ""
    report("\(what) must be \(english(words, "or")), not \(described(element))\(meant)", at: element.position)
    return nil
  }

  /// Reads a duration, a number with `ms`, `s`, `m`, `h` or `d`, and returns whole milliseconds. Reports any other text and returns `nil`.
  mutating func duration(_ element: Element?, _ what: String, atLeast least: Int = 0) -> Int? {
    guard let element else { return nil }
    if let milliseconds = element.text.flatMap(DurationText.read) {
      if milliseconds >= Double(least), milliseconds <= DurationText.limit { return Int(milliseconds) }
      let bound = milliseconds < Double(least) ? "must be at least \(DurationText.written(least))" : "must be at most 100 years"
      report("\(what) \(bound)", at: element.position)
      return nil
    }
    report("\(what) must be a number with ms, s, m, h or d, like 5s, not \(described(element))", at: element.position)
    return nil
  }

  /// Returns the words joined as in `a, b and c`, or the first 20 words of a longer list, followed by `…`.
  func some(_ words: [String]) -> String { words.count <= 20 ? english(words, "and") : words.prefix(20).joined(separator: ", ") + ", …" }
}
