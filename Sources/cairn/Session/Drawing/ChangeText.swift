import CairnCore

/// Describes the changes of a tree.
struct ChangeText {
  /// The names of the nodes, including removed nodes.
  private let names: [NodeID: String]

  /// Creates a description of changes. `trees` are the trees before and after the change; an unknown tree is `nil`.
  init(_ trees: Tree?...) {
    names = Dictionary(trees.compactMap(\.self).flatMap(\.withAllBelow).map { ($0.id, $0.name) }) { $1 }
  }

  /// Returns a text such as `push product(productId: 7) on main; select watched`; empty if there are no changes.
  func text(_ changes: [Change]) -> String { changes.map(text).joined(separator: "; ") }

  private func text(_ change: Change) -> String {
    switch change {
    case .push(let stack, let node): "push \(node.sketch) on \(name(stack))"
    case .pop(let stack, let to): "pop to \(name(to)) on \(name(stack))"
    case .set(let container, _, let children): "set \(name(container)) to \(children.map(\.sketch).joined(separator: ", "))"
    case .replace(let old, let node): "replace \(name(old)) by \(node.sketch)"
    case .remove(let node): "remove \(name(node))"
    case .present(_, let node): "present \(node.sketch)" + (node.level.map { " on level \($0)" } ?? "")
    case .overlay(let node): "overlay \(node.sketch) in \(node.slot ?? "")"
    case .dismiss(let node): "dismiss \(name(node))"
    case .select(let tabs, let index): "select tab \(index) of \(name(tabs))"
    case .update(let node, let update): "update \(name(node))" + (update.content.map { ": \($0.status.rawValue)" } ?? "")
    }
  }

  private func name(_ node: NodeID) -> String { names[node] ?? node.description }
}
