package import CairnCore

extension Graph {
  /// Thrown for a definition whose drawing would exceed `sizeLimit`.
  package struct TooLarge: Error {}

  /// Maximum size of a drawing in bytes, as estimated for its JSON.
  package static let sizeLimit = 16 << 20

  /// Creates the drawing of a definition. Throws if the drawing would exceed `sizeLimit`.
  package init(_ definition: Definition) throws(TooLarge) {
    var drawing = try Drawing(definition, limit: Self.sizeLimit)
    for flow in definition.flows.keys.sorted() { try drawing.draw(flow) }
    try drawing.drawArrivals()
    let clusters = definition.flows.sortedByKey.map { name, flow in
      Cluster(
        flow: name, container: flow.container, screens: (drawing.screens[name] ?? []).sorted(),
        isRoot: definition.root.target == .flow(name), collapse: flow.collapse?.shortText.cut, handles: flow.handle.keys.sorted(),
        emits: flow.emits.sorted())
    }
    self.init(
      app: definition.app, clusters: clusters, arrows: drawing.arrows, sources: drawing.sources,
      screens: definition.screens.mapValues { Screen(params: $0.params.mapValues(\.shortName), emits: $0.emits?.sorted()) })
  }
}
