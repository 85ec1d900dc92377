package import CairnCore

/// A definition as a drawing: flows are clusters, screens their nodes, transitions labelled arrows.
package struct Graph: Hashable, Sendable {
  package var app: String
  package var clusters: [Cluster]
  package var arrows: [Arrow]

  /// A flow: a point where its steps arrive, and the screens that it contributes.
  package struct Cluster: Hashable, Sendable {
    package var flow: String
    package var container: FlowDefinition.Container
    /// Sorted by name.
    package var screens: [String]
    package var isRoot: Bool
  }

  package struct Arrow: Hashable, Sendable {
    package var from: Place
    package var to: Place
    /// The step, or what leads there without one.
    package var label: String
    package var kind: Kind

    package init(from: Place, to: Place, label: String, kind: Kind) {
      self.from = from
      self.to = to
      self.label = label
      self.kind = kind
    }
  }

  package enum Place: Hashable, Sendable {
    case flow(String)
    case screen(String, of: String)
  }

  /// How an arrow is drawn: what is pushed, presented and gone back to are told apart.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case push, replace, present, raise, show, tab, detail, back, end, birth
  }
}
