import CairnCore

// Rewrites flows and the top level of a file.
extension DefinitionRewriter {
  /// Replaces `container`, `root` and `children` of a flow by one member, which is named after the container and contains the nodes.
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

  /// Returns the members of a screen's node as members of its flow.
  private func screen(_ root: SourceNode) -> [String] {
    guard let members = root.members else { return [key("screen") + text(root)] }
    return members.map { edits.text($0.range) }
  }

  /// Adds `emits` to a screen that has none. In the earlier version, such a screen could send every step; now the steps must be listed.
  mutating func finishScreen(_ node: SourceNode) {
    guard node.member("emits") == nil, !steps.listed.isEmpty else { return }
    let member = key("emits") + "[\(steps.listed.map(word).joined(separator: ", "))]"
    if node.members == nil { replace(node.range, with: " { \(member) }") } else { rewrite(node, [:], adding: [member]) }
  }

  /// Replaces a list of `emits` by a map that declares the same steps with their params.
  mutating func declare(in emits: SourceNode) {
    guard let params = steps.moved[emits.range.lowerBound], let list = emits.list else { return }
    let members = list.map { element in
      let name = element.text ?? ""
      return key(name) + (params[name].map(declared) ?? (isQuoted ? "null" : ""))
    }
    let last = members.last?.hasSuffix(" ") == true ? "}" : " }"
    replace(emits.range, with: "{ " + members.joined(separator: ", ") + last)
  }

  /// The text of a step's params, with their types in the current words.
  private func declared(_ params: SourceNode) -> String {
    var rewriter = self
    rewriter.edits = SourceEdits(edits.scalars)
    rewriter.visit(params, as: .shared(.params))
    let members = (params.members ?? []).filter { $0.name != "internal" }
    return "{ \(members.map { rewriter.edits.text($0.range) }.joined(separator: ", ")) }"
  }

  /// Removes from `steps` the steps that are now declared elsewhere. If `internal` is the only member of a remaining step, removes this
  /// member.
  mutating func finishSteps(_ section: SourceNode) {
    guard let members = section.members else { return }
    var replaced: [Int: [String]] = [:]
    for (index, step) in members.enumerated() {
      if steps.removed.contains(step.name) {
        replaced[index] = []
      } else if step.value.members?.map(\.name) == ["internal"] {
        replaced[index] = [isQuoted ? key(step.name) + "null" : step.name + ":"]
      }
    }
    if !replaced.isEmpty { rewrite(section, replaced) }
  }

  /// Adds the version of the language after the app's name, and `compat` if the file needs it. Moves `unhandled` and `covered` into
  /// `compat`, and removes `steps` if no step remains in it.
  mutating func finishFile(_ root: SourceNode) {
    guard let members = root.members, !members.contains(where: { $0.name == "language" }),
      let app = members.firstIndex(where: { $0.name == "app" })
    else { return }
    var replaced: [Int: [String]] = [app: [edits.text(members[app].range), key("language") + "1"]]
    var compat: [String] = []
    for (index, member) in members.enumerated() {
      switch member.name {
      case "unhandled", "covered":
        compat.append(edits.text(member.range))
        replaced[index] = []
      case "primitives": replaced[index] = []
      case "steps" where member.value.members?.allSatisfy { steps.removed.contains($0.name) } == true: replaced[index] = []
      default: break
      }
    }
    if steps.emitsAny { compat.append(key("emits") + word("any")) }
    if !compatWords.isEmpty {
      compat.append(key("words") + "[\(compatWords.map(\.rawValue).sorted().map(word).joined(separator: ", "))]")
    }
    if !compat.isEmpty { replaced[app]?.append(key("compat") + "{ \(compat.joined(separator: ", ")) }") }
    rewrite(root, replaced)
  }
}
