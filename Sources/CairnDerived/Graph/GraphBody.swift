package import CairnCore

/// A drawing as JSON for other renderers: points with their kinds, and arrows that refer to the points by id.
package struct GraphBody: JSONWritable, Sendable {
  package var graph: Graph
  /// The definition's hash.
  package var definition: String

  package init(_ graph: Graph, hash: String) {
    self.graph = graph
    definition = hash
  }

  package func write(to writer: inout JSONWriter) {
    let names = PointNames(graph)
    writer.beginObject()
    writer.member("app", graph.app)
    writer.member("definition", definition)
    writer.member("direction", "LR")
    writer.member("edges", graph.arrows.map { Edge(graph: graph, names: names, arrow: $0) })
    writer.member("legend", Legend(graph: graph))
    writer.name("nodes")
    writer.beginArray()
    for cluster in graph.clusters { write(cluster, names, to: &writer) }
    for index in graph.sources.indices { write(source: index, names, to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  /// Writes a flow, followed by its screens.
  private func write(_ cluster: Graph.Cluster, _ names: PointNames, to writer: inout JSONWriter) {
    let flow = names.name(of: .flow(cluster.flow))
    writer.beginObject()
    writer.member("collapse", ifPresent: cluster.collapse)
    writer.member("container", cluster.container.rawValue)
    writer.member("emits", ifPresent: cluster.emits.isEmpty ? nil : cluster.emits)
    writer.member("flow", cluster.flow)
    writer.member("handles", cluster.handles)
    writer.member("id", flow)
    writer.member("kind", "flow")
    writer.member("label", cluster.text)
    writer.member("root", cluster.isRoot)
    writer.endObject()
    for screen in cluster.screens {
      writer.beginObject()
      writer.member("emits", ifPresent: graph.screens[screen]?.emits)
      writer.member("flow", cluster.flow)
      writer.member("id", names.name(of: .screen(screen, of: cluster.flow)))
      writer.member("kind", "screen")
      writer.member("label", screen)
      writer.member("params", graph.screens[screen]?.params ?? [:])
      writer.member("parent", flow)
      writer.member("screen", screen)
      writer.endObject()
    }
  }

  /// Writes a link, rule or notification.
  private func write(source index: Int, _ names: PointNames, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", names.name(of: .source(index)))
    writer.member("index", names.indexes[index])
    writer.member("kind", graph.sources[index].kind)
    writer.member("label", graph.sources[index].text)
    writer.endObject()
  }

  private struct Edge: JSONWritable {
    let graph: Graph
    let names: PointNames
    let arrow: Graph.Arrow

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("condition", ifPresent: arrow.condition)
      writer.member("from", names.name(of: arrow.from))
      writer.member("hearer", ifPresent: arrow.handlingFlow.map { names.name(of: .flow($0)) })
      writer.member("kind", graph.cause(of: arrow).rawValue)
      writer.member("label", arrow.label)
      writer.member("style", arrow.kind.rawValue)
      writer.member("to", names.name(of: arrow.to))
      writer.endObject()
    }
  }

  /// The meaning of the styles and marks in the drawing.
  private struct Legend: JSONWritable {
    let graph: Graph

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("marks", graph.legendWords)
      writer.name("styles")
      writer.beginObject()
      for (kind, text) in graph.legend {
        writer.key(kind.rawValue)
        writer.string(text)
      }
      writer.endObject()
      writer.endObject()
    }
  }
}
