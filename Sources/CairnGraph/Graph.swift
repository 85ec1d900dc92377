package import CairnCore

/// A definition as a drawing: flows are clusters, screens their nodes, transitions labelled arrows.
package struct Graph: Hashable, Sendable {
  package var app: String
  package var clusters: [Cluster]
  package var arrows: [Arrow]
  /// The links, the notifications that are taken, and the rules, in file order: what sends steps and is no part of the tree.
  package var sources: [Source] = []
  /// The params and steps of the screens, by name.
  package var screens: [String: Screen] = [:]

  /// A flow: a point where its steps arrive, and the screens that it contributes.
  package struct Cluster: Hashable, Sendable {
    package var flow: String
    package var container: Node.Kind
    /// Sorted by name.
    package var screens: [String]
    package var isRoot: Bool
    /// Of a split: while this holds it is laid out as a stack.
    package var collapse: String?

    /// The steps that it handles, sorted.
    package var handles: [String] = []
    /// The steps that all screens below the flow may send, sorted.
    package var emits: [String] = []

    /// The text at the arrow.
    package var text: String {
      "\(flow) (\(container.rawValue)\(collapse.map { ", a stack while \($0)" } ?? ""))"
    }
  }

  /// The params and steps of a screen.
  package struct Screen: Hashable, Sendable {
    /// Type by name, with `?` behind an optional one.
    package var params: [String: String]
    /// The steps that it may say, sorted; nil: any.
    package var emits: [String]?
  }

  package struct Arrow: Hashable, Sendable {
    package var from: Place
    package var to: Place
    /// The step, or what leads there without one.
    package var label: String
    package var kind: Kind
    /// The condition of the link; `nil`: none.
    package var condition: String?
    /// The flow that the step bubbles to; `nil`: the sender's own flow handles it.
    package var hearer: String?

    package init(from: Place, to: Place, label: String, kind: Kind, condition: String? = nil, hearer: String? = nil) {
      self.from = from
      self.to = to
      self.label = label
      self.kind = kind
      self.condition = condition
      self.hearer = hearer
    }

    /// All that is written on it.
    package var text: String {
      [label, hearer.map { "↑ \($0)" } ?? "", condition.map { "[\($0)]" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// The source of a step from outside the tree: a link by its path, a rule by its condition, a notification by its category and manner.
  package enum Source: Hashable, Sendable {
    case link(String)
    case rule(String)
    case notification(String)

    /// The text in its node.
    package var text: String {
      switch self {
      case .link(let path): path
      case .rule(let condition): condition
      case .notification(let name): name
      }
    }
  }

  package enum Place: Hashable, Sendable {
    case flow(String)
    case screen(String, of: String)
    /// By its place among the sources.
    case source(Int)

    /// The flow that it is in; nil: it is a source.
    package var flow: String? {
      switch self {
      case .flow(let name), .screen(_, of: let name): name
      case .source: nil
      }
    }
  }

  /// The style of an arrow: pushing, presenting and going back differ.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case push, replace, present, raise, show, tab, detail, back, end, birth
    /// A step that goes to a flow: forwarded, a timer's, a load's, a result's, a link's, a rule's, a notification's.
    case send
  }
}
