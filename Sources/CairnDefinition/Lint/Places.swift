import CairnCore

/// Where the parts of a definition stand in the file that it was read from.
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

  /// Of a name that a section declares, like `steps`, `go`.
  func name(_ section: String, _ name: String) -> Position { declared[section]?[name]?.position ?? file.position }

  /// Of a member of an element of a section that is a list, like `rules`, 0, `when`.
  func member(_ member: String, of index: Int, in section: String) -> Position {
    guard let list = file[section]?.list, list.indices.contains(index) else { return file.position }
    return list[index][member]?.position ?? list[index].position
  }

  /// Of what stands after an operation's name.
  func value(of site: OperationSite) -> Position {
    guard let handler = declared["flows"]?[site.flow]?.element["handle"]?[site.step] else { return file.position }
    let branches = handler.list ?? [handler]
    let isBranched = branches.contains { $0.has("do") }
    let operations = isBranched ? branches[site.branch]["do"].map { $0.list ?? [$0] } ?? [] : branches
    guard operations.indices.contains(site.index) else { return handler.position }
    return operations[site.index][site.word]?.position ?? operations[site.index].position
  }

  /// Of the first `to` that sends this step to this flow.
  func sending(of step: String, to flow: String) -> Position {
    func find(in element: Element) -> Position? {
      if element["step"]?.text == step, let to = element["to"], to.text == flow { return to.position }
      for inner in element.list ?? (element.members ?? []).map(\.element) {
        if let found = find(in: inner) { return found }
      }
      return nil
    }
    return find(in: file) ?? file.position
  }

  /// The words that stand after `in` in the types of facts, screens and steps: the names of sets.
  var namesOfSets: Set<String> {
    func words(in element: Element) -> [String] {
      (element.list ?? []).flatMap(words)
        + (element.members ?? []).flatMap { ($0.name == "in" ? [$0.element.text].compactMap(\.self) : []) + words(in: $0.element) }
    }
    return Set(["facts", "screens", "steps"].compactMap { file[$0] }.flatMap(words))
  }

  /// The names that a section declares, in file order.
  func names(_ section: String) -> [String] { (file[section]?.members ?? []).map(\.name) }
}

extension Element {
  fileprivate subscript(name: String) -> Element? { members?.first { $0.name == name }?.element }
}
