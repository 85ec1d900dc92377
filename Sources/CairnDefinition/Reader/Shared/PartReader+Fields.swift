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

  mutating func remove(_ name: String) { members[name] = nil }

  /// The position of a member's name; the position of the map if the member is missing.
  func position(of name: String) -> Position { members[name]?.position ?? position }
}

extension PartReader {
  /// Reads a map with a fixed set of names. A misspelled name is reported and read as the intended name, so that one misspelling causes one
  /// message. Returns `nil` if the element is not a map.
  func fields(of element: Element, _ what: String, _ table: MemberTable) -> Fields? {
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
        report("\(what) no longer has the member `\(member.name)`: \(former.remedy)", at: member.position)
      } else if let meant = NearestName.of(member.name, among: free) {
        report("\(what) has no member `\(member.name)`; did you mean `\(meant)`?", at: member.position)
        fields.members[meant] = member
      } else if known.contains(where: { NearestName.of(member.name, among: [$0]) != nil }) || known.isEmpty {
        report("\(what) has no member `\(member.name)`", at: member.position)
      } else {
        hasStranger = true
        report("\(what) has no member `\(member.name)`; the members are \(english(known, "and"))", at: member.position)
      }
    }
    let missing = required.filter { fields.members[$0] == nil }
    if !missing.isEmpty && !hasStranger { report("\(what) needs \(english(missing, "and"))", at: element.position) }
    return fields
  }
}
