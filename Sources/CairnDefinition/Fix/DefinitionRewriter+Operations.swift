// Rewrites the parts of a definition in which more than a name has changed.
extension DefinitionRewriter {
  mutating func visitOperation(_ node: SourceNode) {
    if node.text == "none" { return replace(node.range, with: "[]") }
    guard let members = node.members else { return }
    let words: [OperationWord] = members.compactMap { OperationWord(rawValue: $0.name) ?? OperationWord.former[$0.name] }
    guard let word = OperationWord.leading.first(where: { words.contains($0) }) ?? words.first else { return }
    let table = word.table
    for member in members where !visit(member, by: table) && OperationWord.former[member.name] == word { visitFormer(member, as: word) }
    finishOperation(node, word)
  }

  /// Renames the former word of an operation, and visits its value. The words for sent steps and written facts need more than a new name,
  /// so `finishOperation` rewrites them.
  private mutating func visitFormer(_ member: SourceNode.Member, as word: OperationWord) {
    switch word {
    case .set, .timer, .finish:
      rename(member, to: word.rawValue)
      visit(member.value, as: word.table.members[0].shape)
    default: break
    }
  }

  private mutating func finishOperation(_ node: SourceNode, _ word: OperationWord) {
    for (index, member) in (node.members ?? []).enumerated() {
      switch OperationWord.former[member.name] {
      case .send: rewrite(node, [index: sent(member.value, isForward: true)])
      case .write:
        let facts = (member.value.list ?? [member.value]).map { key($0.text ?? "") + "null" }
        rewrite(node, [index: [key("write") + "{ \(facts.joined(separator: ", ")) }"]])
      case .finish where member.value.members?.isEmpty == true && node.members?.count == 1: replace(node.range, with: self.word("finish"))
      default:
        guard word == .show, member.name == word.rawValue, let flow = member.value.member("flow"), member.value.members?.count == 1 else {
          continue
        }
        rewrite(node, [index: [key("set") + text(flow.value)]])
      }
      return
    }
  }

  /// The members `send`, `with` and `to` for a step that was written as a name or as a map. In the earlier version, a forwarded step
  /// without `to` went to the parent; now the flow itself receives the step if it handles the step.
  func sent(_ step: SourceNode, isForward: Bool, to receiver: String? = nil) -> [String] {
    let named = step.member("step")?.value ?? step
    var lines = [key("send") + text(named)]
    // The text after the key is copied, so a value in block style keeps its lines and its indentation.
    if let with = step.member("with") { lines.append(word("with") + edits.text(with.key.range.upperBound..<with.range.upperBound)) }
    let to = step.member("to")?.value
    if let receiver {
      lines.append(key("to") + word(receiver))
    } else if let to {
      if !(isForward && to.text == "current" && handled.contains(named.text ?? "")) { lines.append(key("to") + text(to)) }
    } else if isForward, handled.contains(named.text ?? "") {
      lines.append(key("to") + word("parent"))
    }
    return lines
  }

  /// Rewrites the changed parts of a value of this shape. The parts inside the value have already been rewritten.
  mutating func finish(_ node: SourceNode, _ shape: SharedShape) {
    switch shape {
    case .branch, .adaptation: finishCondition(of: node)
    case .type, .fact: finishType(node)
    case .condition: finishTest(node)
    case .declaredStep:
      // `internal` is removed, because a step that no `emits` lists is internal.
      guard let members = node.members, members.count > 1, let flag = members.firstIndex(where: { $0.name == "internal" }) else { return }
      rewrite(node, [flag: []])
    case .link:
      for (index, member) in (node.members ?? []).enumerated() {
        if member.name == "broadcast" { return rewrite(node, [index: sent(member.value, isForward: false, to: "all")]) }
        if member.name == "step", member.value.members != nil { return rewrite(node, [index: sent(member.value, isForward: false)]) }
      }
    default: break
    }
  }

  private mutating func finishCondition(of node: SourceNode) {
    guard let members = node.members, let index = members.firstIndex(where: { $0.name == "unless" }) else { return }
    let value = members[index].value
    let margin = edits.column(of: node.range.lowerBound)
    if edits.scalars[value.range.lowerBound] == "{" {
      rewrite(node, [index: [key("when") + "{ \(key("not"))\(text(value)) }"]])
    } else {
      // The condition is a block, which moves to the right by one level.
      let column = edits.column(of: value.range.lowerBound)
      let inner = text(value).replacing("\n", with: "\n  ")
      let blanks = { String(repeating: " ", count: $0) }
      rewrite(node, [index: ["when:\n\(blanks(margin + 2))not:\n\(blanks(column + 2))\(inner)"]])
    }
  }

  private mutating func finishType(_ node: SourceNode) {
    guard let members = node.members else { return rewriteType(node, isOptional: false) }
    guard let type = node.member("type")?.value else { return }
    let index = members.firstIndex { $0.name == "optional" }
    rewriteType(type, isOptional: index.map { members[$0].value.text == "true" } ?? false)
    if let index { rewrite(node, [index: []]) }
  }

  private mutating func rewriteType(_ node: SourceNode, isOptional: Bool) {
    guard let text = node.text, isOptional || text.hasSuffix("?") else { return }
    replace(node.range, with: word("optional \(text.hasSuffix("?") ? String(text.dropLast()) : text)"))
  }

  private mutating func finishTest(_ node: SourceNode) {
    guard let member = node.member("equals") else { return }
    let isWord = ["present", "absent"].contains(member.value.text ?? "")
    rename(member, to: isWord ? "in" : "is")
    if isWord { replace(member.value.range, with: "[\(text(member.value))]") }
  }
}
