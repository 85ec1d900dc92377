package import CairnCore

/// The drawing of a definition: flows are clusters, screens are nodes, and transitions are labeled arrows.
package struct Graph: Hashable, Sendable {
  package var app: String
  package var clusters: [Cluster]
  package var arrows: [Arrow]
  /// The links, the elements of `take` and the rules, in file order. They send steps but are not part of the tree.
  package var sources: [Source] = []
  /// The params and steps of each screen, by the screen's name.
  package var screens: [String: Screen] = [:]

  /// A flow: a dot that receives its steps, and the screens that the flow creates.
  package struct Cluster: Hashable, Sendable {
    package var flow: String
    package var container: Node.Kind
    /// The screens, sorted by name.
    package var screens: [String]
    package var isRoot: Bool
    /// The condition under which a split is laid out as a stack; `nil` for other flows.
    package var collapse: String?

    /// The steps that the flow handles, sorted.
    package var handles: [String] = []
    /// The steps that all screens below the flow may send, sorted.
    package var emits: [String] = []

    /// The label of the cluster.
    package var text: String {
      "\(flow) (\(container.rawValue)\(collapse.map { ", a stack while \($0)" } ?? ""))"
    }
  }

  /// The params and steps of a screen.
  package struct Screen: Hashable, Sendable {
    /// The types of the params, by the params' names. Optional types end with `?`.
    package var params: [String: String]
    /// The steps that the screen may send, sorted; `nil` if it may send any step.
    package var emits: [String]?
  }

  package struct Arrow: Hashable, Sendable {
    package var from: Place
    package var to: Place
    /// The step, with its cause, the step that replaces it, or the method of the request that sends it: `timer: step`, `step → other`,
    /// `POST step`. Empty if no step causes the transition.
    package var label: String
    package var kind: Kind
    /// The condition of the branch, link or notification; `nil` if there is none.
    package var condition: String?
    /// The flow to which the step bubbles; `nil` if the sender's own flow handles it.
    package var handlingFlow: String?

    package init(from: Place, to: Place, label: String, kind: Kind, condition: String? = nil, handlingFlow: String? = nil) {
      self.from = from
      self.to = to
      self.label = label
      self.kind = kind
      self.condition = condition
      self.handlingFlow = handlingFlow
    }

    /// The complete label of the arrow.
    package var text: String {
      [label, handlingFlow.map { "↑ \($0)" } ?? "", condition.map { "[\($0)]" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// The source of a step from outside the tree: a link by its path, a rule by its condition, a notification by its category and the ways in which it can
  /// arrive.
  package enum Source: Hashable, Sendable {
    case link(String)
    case rule(String)
    case notification(String)

    /// The label of the source's node.
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
    /// A source, by its index in `sources`.
    case source(Int)

    /// The flow of the point: the flow itself, or the flow that creates the screen; `nil` for a source.
    package var flow: String? {
      switch self {
      case .flow(let name), .screen(_, of: let name): name
      case .source: nil
      }
    }
  }

  /// The style of an arrow, which depends on the operation.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case push, replace, present, raise, overlay, show, tab, detail, back, end, birth
    /// A step that is sent to a flow, for example by a handler, timer, load, link, rule or notification.
    case send
  }
}
