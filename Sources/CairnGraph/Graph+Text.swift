import CairnCore

extension Graph {
  /// Graphviz's language: `dot -Tsvg` draws it.
  package var dot: String {
    var lines = [
      "digraph \"\(app)\" {", "  rankdir=LR; compound=true; fontname=\"sans-serif\";",
      "  node [shape=box, style=rounded, fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    for cluster in clusters {
      lines.append("  subgraph \"cluster_\(cluster.flow)\" {")
      lines.append("    label=\"\(cluster.flow) (\(cluster.container.rawValue))\";\(cluster.isRoot ? " penwidth=2;" : "")")
      lines.append("    \(id(.flow(cluster.flow))) [shape=circle, label=\"\", width=0.15, style=filled];")
      lines += cluster.screens.map { "    \(id(.screen($0, of: cluster.flow))) [label=\"\($0)\"];" }
      lines.append("  }")
    }
    for arrow in arrows {
      let label = arrow.kind == .birth && arrow.label.isEmpty ? "" : arrow.label
      lines.append("  \(id(arrow.from)) -> \(id(arrow.to)) [label=\"\(label)\", \(dotStyle(arrow.kind))];")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// Mermaid's flowchart, which code hosts render inside Markdown.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    for cluster in clusters {
      lines.append("  subgraph \(mermaidID("c", cluster.flow))[\"\(cluster.flow) (\(cluster.container.rawValue))\"]")
      lines.append("    \(mermaidID(.flow(cluster.flow)))((\" \"))")
      lines += cluster.screens.map { "    \(mermaidID(.screen($0, of: cluster.flow)))[\"\($0)\"]" }
      lines.append("  end")
    }
    for arrow in arrows {
      let label = arrow.label.isEmpty ? "" : "|\"\(arrow.label)\(suffix(arrow.kind))\"|"
      lines.append("  \(mermaidID(arrow.from)) \(mermaidStroke(arrow.kind))\(label) \(mermaidID(arrow.to))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func id(_ place: Place) -> String {
    switch place {
    case .flow(let flow): "\"\(flow)\""
    case .screen(let screen, let flow): "\"\(flow)/\(screen)\""
    }
  }

  private func mermaidID(_ place: Place) -> String {
    switch place {
    case .flow(let flow): mermaidID("f", flow)
    case .screen(let screen, let flow): mermaidID("s", flow + "/" + screen)
    }
  }

  /// Mermaid takes letters, digits and `_` alone, so everything else is written as its number.
  private func mermaidID(_ prefix: String, _ name: String) -> String {
    name.unicodeScalars.reduce(into: prefix + "_") { id, scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      id += isPlain ? String(scalar) : "_\(scalar.value)_"
    }
  }

  private func dotStyle(_ kind: Kind) -> String {
    switch kind {
    case .push, .show, .detail: "style=solid"
    case .replace: "style=solid, arrowhead=normalnormal"
    case .present: "style=dashed, arrowhead=empty"
    case .raise: "style=dashed, arrowhead=empty, penwidth=2"
    case .tab, .birth: "style=dotted, arrowhead=none"
    case .back: "style=solid, color=gray, arrowhead=vee"
    case .end: "style=dashed, color=gray, arrowhead=odot"
    }
  }

  private func mermaidStroke(_ kind: Kind) -> String {
    switch kind {
    case .push, .show, .detail, .replace: "-->"
    case .present, .raise, .end: "-.->"
    case .tab, .birth: "---"
    case .back: "==>"
    }
  }

  private func suffix(_ kind: Kind) -> String {
    switch kind {
    case .present: " (present)"
    case .raise: " (level)"
    case .end: " (end)"
    case .back: " (back)"
    case .replace: " (replace)"
    case .push, .show, .tab, .detail, .birth: ""
    }
  }
}
