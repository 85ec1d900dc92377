import CairnCore

/// The positions of a definition's parts in its file. If a part is not found, the position of a part around it is used.
struct Places {
  private let file: Element
  /// The members of each section, by name.
  private let declared: [String: [String: Element.Member]]

  init(_ file: Element) {
    self.file = file
    declared = Dictionary(
      (file.members ?? []).map { section in
        (section.name, Dictionary((section.element.members ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a declared name in a section, such as `go` in `steps`.
  func name(_ section: String, _ name: String) -> Position { declared[section]?[name]?.position ?? file.position }

  /// The position of a fact's declaration in a flow.
  func fact(_ name: String, of flow: String) -> Position {
    declared["flows"]?[flow]?.element["facts"]?.members?.first { $0.name == name }?.position ?? self.name("flows", flow)
  }

  /// The position of a tab's condition in the list of tabs; the position of the flow if the list has no condition for this tab.
  func gate(of tab: String, in flow: String) -> Position {
    let tabs = declared["flows"]?[flow]?.element["tabs"]?.list ?? []
    let element = tabs.first { ($0["flow"] ?? $0["screen"])?.text == tab && $0.has("requires") }
    return element?["requires"]?.position ?? name("flows", flow)
  }

  /// The position of a step's declaration: in `steps`, in the `emits` of a screen or flow, or as the name of its handler.
  func step(_ name: String) -> Position {
    if let member = declared["steps"]?[name] { return member.position }
    let owners = ["screens", "flows"].flatMap { file[$0]?.members ?? [] }.map(\.element)
    for section in ["emits", "handle", "adapt"] {
      for owner in owners {
        if let member = owner[section]?.members?.first(where: { $0.name == name }) { return member.position }
        if let element = owner[section]?.list?.first(where: { $0.text == name }) { return element.position }
      }
    }
    return file.position
  }

  /// The position of a member in an element of a list section, such as `when` in the first element of `rules`.
  func member(_ member: String, of index: Int, in section: String) -> Position {
    guard let list = file[section]?.list, list.indices.contains(index) else { return file.position }
    return list[index][member]?.position ?? list[index].position
  }

  /// The position of an element of `take`.
  func taking(_ index: Int) -> Position {
    guard let list = file["notifications"]?["take"]?.list, list.indices.contains(index) else { return file.position }
    return list[index].position
  }

  /// The position of the value of an operation's keyword.
  func value(of site: OperationSite) -> Position {
    guard let operation = operation(site) else { return handler(site)?.position ?? file.position }
    return operation[site.word]?.position ?? operation.position
  }

  /// Whether an operation has a member, such as `of`.
  func has(_ member: String, at site: OperationSite) -> Bool { operation(site)?.has(member) ?? false }

  private func operation(_ site: OperationSite) -> Element? {
    guard let handler = handler(site) else { return nil }
    let branches = handler.list ?? [handler]
    let isBranched = branches.contains { $0.has("do") }
    let operations = (isBranched ? branches[site.branch]["do"].map { $0.list ?? [$0] } ?? [] : branches).flatMap(Self.operations)
    return operations.indices.contains(site.index) ? operations[site.index] : nil
  }

  private func handler(_ site: OperationSite) -> Element? { declared["flows"]?[site.flow]?.element["handle"]?[site.step] }

  /// Returns an element once for each of its operations: `send` may have several steps, and `write` may set and reset facts.
  private static func operations(_ element: Element) -> [Element] {
    if let list = element["send"]?.list { return list.map { _ in element } }
    guard let facts = element["write"]?.members, facts.contains(where: \.element.isNull), !facts.allSatisfy(\.element.isNull) else {
      return [element]
    }
    return [element, element]
  }

  /// The position of the first `to` that sends this step to this flow.
  func sending(of step: String, to flow: String) -> Position {
    func find(in element: Element) -> Position? {
      if (element["send"] ?? element["step"])?.text == step, let to = element["to"], to.text == flow { return to.position }
      for inner in element.list ?? (element.members ?? []).map(\.element) {
        if let found = find(in: inner) { return found }
      }
      return nil
    }
    return find(in: file) ?? file.position
  }

  /// The position of the first value that is the name of this environment variable.
  func variable(_ name: String) -> Position {
    func find(in element: Element) -> Position? {
      if element.text == name { return element.position }
      for inner in element.list ?? (element.members ?? []).map(\.element) {
        if let found = find(in: inner) { return found }
      }
      return nil
    }
    return find(in: file) ?? file.position
  }

  /// The texts of `in`, in types and in conditions. Among them are the names of all sets in use.
  var namesOfSets: Set<String> {
    func words(in element: Element) -> [String] {
      (element.list ?? []).flatMap(words)
        + (element.members ?? []).flatMap { ($0.name == "in" ? [$0.element.text].compactMap(\.self) : []) + words(in: $0.element) }
    }
    return Set(words(in: file))
  }

  /// The positions of conditions with this subject and name, such as `content: error`. Only `flows` and `rules` are searched.
  func conditions(on subject: String, _ name: String) -> [Position] {
    let tests = Set(MemberTable.tests)
    func found(in element: Element) -> [Position] {
      let members = element.members ?? []
      let isCondition =
        members.contains { $0.name == subject && $0.element.text == name }
        && members.allSatisfy { $0.name == subject || tests.contains($0.name) }
      let own = isCondition ? members.filter { $0.name == subject }.map(\.element.position) : []
      return own + (element.list ?? []).flatMap(found) + members.flatMap { found(in: $0.element) }
    }
    return ["flows", "rules"].compactMap { file[$0] }.flatMap(found)
  }

  /// The names that a section declares, in file order.
  func names(_ section: String) -> [String] { (file[section]?.members ?? []).map(\.name) }
}

extension Element {
  fileprivate subscript(name: String) -> Element? { members?.first { $0.name == name }?.element }
}
