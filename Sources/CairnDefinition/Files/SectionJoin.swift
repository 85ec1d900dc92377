import CairnCore

/// Joins the sections of included files with the sections of the main file. Maps join by name, and lists join in the order of the files.
struct SectionJoin {
  private let position: Position
  /// Whether the main file is a map. The reader reports any other value.
  private let isMap: Bool
  private let main: Element
  private let mainFile: String
  private var sections: Sections
  private(set) var problems: [DefinitionSource.Problem] = []

  /// Starts with the members of the main file except `include`, so that the joined definition equals the same definition written in one
  /// file.
  init(_ main: Element, mainFile: String) {
    self.main = main
    self.mainFile = mainFile
    position = main.position
    isMap = main.members != nil
    sections = Sections((main.members ?? []).filter { $0.name != "include" })
  }

  /// The element of the whole definition.
  var root: Element { isMap ? Element(content: .map(sections.members), position: position) : main }

  /// Adds the sections of an included file.
  mutating func add(_ part: Element) {
    guard let members = part.members else {
      report("an included file must be a map of sections such as `flows`, not \(article(part.kindName))", at: part.position)
      return
    }
    var joined = Sections([])
    swap(&joined, &sections)
    for member in members {
      if member.name == "language" {
        if member.element.value != .integer(1) {
          report("`language` must be `1`, not \(described(member.element))", at: member.element.position)
        }
      } else {
        join(member, to: &joined, MemberTable.file)
      }
    }
    sections = joined
  }

  private mutating func join(_ member: Element.Member, to sections: inout Sections, _ table: MemberTable) {
    guard let row = table.members.first(where: { $0.name == member.name }) else {
      // An unknown name is kept, so that the reader reports it.
      sections.append(member)
      return
    }
    guard let joining = row.joining else {
      report("only the main file may have `\(member.name)`; move it to `\(mainFile)`", at: member.position)
      return
    }
    let first = sections[member.name].flatMap { $0.element.isNull ? nil : $0 }
    if member.element.isNull, first != nil { return }
    switch (joining, first) {
    case (.map, let first?): joinMaps(first, member, in: &sections)
    case (.list, let first?): joinLists(first, member, in: &sections)
    case (.members(let table), _) where member.element.members != nil:
      let first = first ?? member.with(.map([]))
      guard let members = inner(first, member) else { return }
      var inner = Sections(members.first)
      for each in members.second { join(each, to: &inner, table) }
      sections.replace(first.with(.map(inner.members)))
    case (.members, let first?): _ = inner(first, member)
    case (_, nil): sections.replace(member)
    }
  }

  private mutating func joinMaps(_ first: Element.Member, _ second: Element.Member, in sections: inout Sections) {
    guard let members = inner(first, second) else { return }
    var inner = Sections(members.first)
    for member in members.second {
      if let other = inner[member.name] {
        report(
          "the \(Self.singular(second.name)) `\(member.name)` is declared twice; the other declaration is at \(other.position.text(in: ""))",
          at: member.position)
      } else {
        inner.append(member)
      }
    }
    sections.replace(first.with(.map(inner.members)))
  }

  private mutating func joinLists(_ first: Element.Member, _ second: Element.Member, in sections: inout Sections) {
    func elements(_ element: Element) -> [Element] { element.list ?? [element] }
    sections.replace(first.with(.list(elements(first.element) + elements(second.element))))
  }

  /// The members of two maps; `nil` if one of them is not a map, which is reported here or by the reader.
  private mutating func inner(
    _ first: Element.Member, _ second: Element.Member
  ) -> (first: [Element.Member], second: [Element.Member])? {
    guard let members = second.element.members else {
      report("`\(second.name)` must be a map, not \(article(second.element.kindName))", at: second.element.position)
      return nil
    }
    return first.element.members.map { ($0, members) }
  }

  private mutating func report(_ message: String, at position: Position) { problems.append((position, message)) }

  /// The name of one part of a section, such as `flow` of `flows`.
  private static func singular(_ section: String) -> String { section.hasSuffix("s") ? String(section.dropLast()) : section }
}

/// Members with a lookup by name.
private struct Sections {
  private(set) var members: [Element.Member]
  private var places: [String: Int] = [:]

  init(_ members: [Element.Member]) {
    self.members = members
    for (index, member) in members.enumerated() where places[member.name] == nil { places[member.name] = index }
  }

  subscript(name: String) -> Element.Member? { places[name].map { members[$0] } }

  mutating func append(_ member: Element.Member) {
    if places[member.name] == nil { places[member.name] = members.count }
    members.append(member)
  }

  /// Replaces the member of the same name, or appends the member if no member has this name.
  mutating func replace(_ member: Element.Member) {
    if let place = places[member.name] { members[place] = member } else { append(member) }
  }
}

extension Element.Member {
  /// The member with another value at the same position.
  fileprivate func with(_ content: Element.Content) -> Element.Member {
    var member = self
    member.element.content = content
    return member
  }
}
