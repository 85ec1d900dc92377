import CairnCore

/// Rewrites a definition, a scenario file or a migration from the words of an earlier version of the language to the current words. Only
/// the changed parts are rewritten; comments, order and layout do not change. Pure and thread-safe.
package struct DefinitionFix {
  /// The new text.
  package let text: String
  /// The number of places that were rewritten.
  package let changes: Int
  /// Whether the text has sections of a definition, but declares no app. Such a text is a file that another file includes.
  package let isPart: Bool
  /// The words of `compat` that the text uses.
  private let compatWords: Set<CompatWord>

  /// Returns `nil` if the text is empty, is not YAML, or is nested too deeply. The text need not be a valid definition. `parts` are the rewritten files
  /// that a definition includes: the words that these files need in `compat` are added to the main file. Steps are not moved between files.
  package init?(_ text: String, parts: [DefinitionFix] = []) {
    let text = Document.withoutByteOrderMark(text)
    guard let (root, scalars) = SourceReader.read(text) else { return nil }
    isPart = root.member("app") == nil && MemberTable.file.joined.contains { root.member($0.name) != nil }
    var rewriter = DefinitionRewriter(scalars, root, isPart: isPart)
    for part in parts { rewriter.compatWords.formUnion(part.compatWords) }
    rewriter.rewrite(root)
    compatWords = rewriter.compatWords
    self.text = rewriter.edits.text(0..<scalars.count)
    changes = rewriter.changes
  }
}

/// Walks through a text along the tables of the language, and rewrites the parts that use names of an earlier version.
struct DefinitionRewriter {
  var edits: SourceEdits
  var changes = 0
  /// Whether the names in the text are in quotes, as in JSON.
  let isQuoted: Bool
  /// The steps that the current flow handles or adapts.
  var handled: Set<String> = []
  /// The places at which the steps of the file are declared after the rewriting.
  let steps: StepDeclarations
  /// The words of `compat` that the file uses.
  var compatWords: Set<CompatWord> = []

  init(_ scalars: [Unicode.Scalar], _ root: SourceNode, isPart: Bool) {
    edits = SourceEdits(scalars)
    isQuoted = root.members?.first.map { scalars[$0.key.range.lowerBound] == "\"" } ?? false
    // Another file of the definition may declare the steps of an included file, so an included file keeps its declarations.
    steps = isPart ? StepDeclarations() : StepDeclarations(root, scalars)
  }

  /// Rewrites a document. The names of its members determine the kind of document.
  mutating func rewrite(_ root: SourceNode) {
    let names = Set((root.members ?? []).map(\.name))
    if names.contains("scenarios") || names.contains("claims") {
      for member in root.members ?? [] where member.name == "claims" { visit(member.value, as: .list(of: .object(.claim))) }
    } else if names.contains("from"), names.contains("to") {
      visit(root, as: .object(.migration))
    } else {
      visit(root, as: .object(.file))
      finishFile(root)
    }
  }

  // MARK: The walk

  mutating func visit(_ node: SourceNode, as shape: Shape) {
    switch shape {
    case .any, .text, .pattern, .flag, .null, .number, .whole, .word, .constant: break
    case .list(let element, _): for node in node.list ?? [] { visit(node, as: element) }
    case .map(let element, _, let beside):
      for member in node.members ?? [] {
        visit(member.value, as: beside.first { $0.name == member.name }?.shape ?? element)
      }
    case .object(let table): visit(node, by: table)
    case .oneOf(let shapes): if let shape = shapes.first(where: { fits(node, $0) }) { visit(node, as: shape) }
    case .shared(.operation): visitOperation(node)
    case .shared(.flow):
      handled = Set([node.member("handle"), node.member("adapt")].flatMap { ($0?.value.members ?? []).map(\.name) })
      visit(node, as: SharedShape.flow.shape)
      finishFlow(node)
      handled = []
    case .shared(.screen):
      visit(node, as: SharedShape.screen.shape)
      finishScreen(node)
    case .shared(.emits): declare(in: node)
    case .shared(.steps):
      visit(node, as: SharedShape.steps.shape)
      finishSteps(node)
    case .shared(let shared):
      visit(node, as: shared.shape)
      finish(node, shared)
    }
  }

  private mutating func visit(_ node: SourceNode, by table: MemberTable) {
    for member in node.members ?? [] { _ = visit(member, by: table) }
  }

  /// Visits a member according to its row in the table. Returns `false` if the table contains neither its current nor its former name.
  mutating func visit(_ member: SourceNode.Member, by table: MemberTable) -> Bool {
    if let known = table.members.first(where: { $0.name == member.name }) {
      if let word = CompatWord(rawValue: member.name), word != .show || member.value.member("screen") != nil { compatWords.insert(word) }
      visit(member.value, as: known.shape)
      return true
    }
    guard let former = table.former.first(where: { $0.name == member.name }) else { return false }
    visit(member, as: former)
    return true
  }

  private mutating func visit(_ member: SourceNode.Member, as former: MemberTable.Former) {
    if let name = former.newName { rename(member, to: name) }
    if former.name == "leave", member.value.text == "none" {
      replace(member.value.range, with: "true")
    } else {
      visit(member.value, as: former.shape)
    }
  }

  /// Whether a value may have a shape. Only the kind of the value and the names of its members are compared.
  private func fits(_ node: SourceNode, _ shape: Shape) -> Bool {
    switch shape {
    case .any: true
    case .text, .pattern, .flag, .null, .number, .whole, .word, .constant: node.text != nil
    case .list(let element, _): node.list.map { $0.allSatisfy { fits($0, element) } } ?? false
    case .map: node.members != nil
    case .object(let table):
      node.members.map { members in
        members.allSatisfy { member in
          table.names.contains(member.name) || table.former.contains { $0.name == member.name }
        }
      } ?? false
    case .oneOf(let shapes): shapes.contains { fits(node, $0) }
    case .shared(.operation): node.text != nil || node.members.map { !$0.contains { ["do", "when", "unless"].contains($0.name) } } ?? false
    case .shared(.flow): node.members != nil
    case .shared(let shared): fits(node, shared.shape)
    }
  }

  // MARK: Writing

  /// A member's name followed by a colon, in quotes if the text is JSON.
  func key(_ name: String) -> String { word(name) + ": " }

  /// A plain word, in quotes if the text is JSON.
  func word(_ text: String) -> String { isQuoted ? "\"\(text)\"" : text }

  mutating func rename(_ member: SourceNode.Member, to name: String) {
    replace(member.key.range, with: word(name))
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.replace(range, with: text)
    changes += 1
  }

  mutating func rewrite(_ map: SourceNode, _ replaced: [Int: [String]], adding added: [String] = []) {
    edits.rewrite(map, replaced, adding: added)
    changes += 1
  }

  /// The text of a value, including the replacements made so far.
  func text(_ node: SourceNode) -> String { edits.text(node.range) }
}
