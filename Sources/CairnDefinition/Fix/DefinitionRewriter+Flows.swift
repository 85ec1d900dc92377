import CairnCore

// Flows and the file.
extension DefinitionRewriter {
  /// The container becomes the member that has the nodes.
  mutating func finishFlow(_ node: SourceNode) {
    guard let members = node.members, let index = members.firstIndex(where: { $0.name == "container" }),
      let container = members[index].value.text, let kind = Node.Kind.ofFlows.first(where: { $0.rawValue == container })
    else { return }
    let root = members.firstIndex { $0.name == "root" }
    let children = members.firstIndex { $0.name == "children" }
    var replaced: [Int: [String]] = [index: []]
    switch kind {
    case .screen:
      guard let root else { return }
      replaced[root] = screen(members[root].value)
    case .oneOf:
      let first = root.map { members[$0].value }
      let name = first.map { $0.member("flow")?.value.text ?? $0.text ?? "" }
      let isPlain = first?.members?.count == 1
      let others = (children.flatMap { members[$0].value.list } ?? []).filter { $0.text != name }
      let beginning = first.map { isPlain ? text($0.member("flow")?.value ?? $0) : text($0) } ?? word("none")
      let list = [beginning] + others.map { text($0) }
      if let root { replaced[root] = [] }
      if let children { replaced[children] = [] }
      let place = min(root ?? index, children ?? index)
      replaced[place] = [key("switch") + "[\(list.joined(separator: ", "))]"]
    case .stack, .alert:
      if let root {
        let rest = members[root].key.range.upperBound..<members[root].range.upperBound
        replaced[root] = [word(container) + edits.text(rest)]
      } else {
        replaced[index] = [key(container) + "[]"]
      }
    default:
      if node.member(container) == nil { replaced[index] = [key(container) + "[]"] }
    }
    rewrite(node, replaced)
  }

  /// The members of a screen's node become members of its flow.
  private func screen(_ root: SourceNode) -> [String] {
    guard let members = root.members else { return [key("screen") + text(root)] }
    return members.map { edits.text($0.range) }
  }

  /// Adds the version of the language after the app's name.
  mutating func finishFile(_ root: SourceNode) {
    guard let members = root.members, !members.contains(where: { $0.name == "language" }),
      let app = members.firstIndex(where: { $0.name == "app" })
    else { return }
    rewrite(root, [app: [edits.text(members[app].range), key("language") + "1"]])
  }
}
