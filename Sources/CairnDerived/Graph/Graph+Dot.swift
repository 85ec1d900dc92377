import CairnCore

extension Graph {
  /// The drawing in Graphviz's language, for `dot -Tsvg`.
  package var dot: String {
    var lines = [
      "digraph \"\(app)\" {", "  rankdir=LR; compound=true; fontname=\"sans-serif\";",
      "  node [shape=box, style=rounded, fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    for cluster in clusters {
      lines.append("  subgraph \"cluster_\(cluster.flow)\" {")
      lines.append("    label=\(cluster.text.dotLabel);\(cluster.isRoot ? " penwidth=2;" : "")")
      lines.append("    \(id(.flow(cluster.flow))) [shape=circle, label=\"\", width=0.15, style=filled];")
      lines += cluster.screens.map { "    \(id(.screen($0, of: cluster.flow))) [label=\"\($0)\"];" }
      lines.append("  }")
    }
    for (index, source) in sources.enumerated() {
      lines.append("  \(id(.source(index))) [label=\(source.text.dotLabel), shape=\(source.dotShape), style=solid, fontsize=10];")
    }
    for arrow in arrows {
      lines.append("  \(id(arrow.from)) -> \(id(arrow.to)) [label=\(arrow.text.dotLabel), \(dotStyle(arrow.kind))];")
    }
    return (lines + dotLegend + ["}", ""]).joined(separator: "\n")
  }

  private func id(_ place: Place) -> String {
    switch place {
    case .flow(let flow): "\"\(flow)\""
    case .screen(let screen, let flow): "\"\(flow)/\(screen)\""
    case .source(let index): "\"/\(index)\""
    }
  }

  private func dotStyle(_ kind: Kind) -> String {
    switch kind {
    case .push, .show, .detail: "style=solid"
    case .replace: "style=solid, arrowhead=normalnormal"
    case .present: "style=dashed, arrowhead=empty"
    case .raise: "style=dashed, arrowhead=empty, penwidth=2"
    case .overlay: "style=dashed, arrowhead=diamond"
    case .tab, .birth: "style=dotted, arrowhead=none"
    case .back: "style=solid, color=gray40, arrowhead=vee"
    case .end: "style=dashed, color=gray40, arrowhead=odot"
    case .send: "style=dotted, color=gray40, arrowhead=normal"
    }
  }

  /// The legend, which shows an arrow of each kind between two points.
  private var dotLegend: [String] {
    var lines = ["  subgraph \"cluster_/legend\" {", "    label=\"legend\"; style=dotted; node [shape=point, label=\"\"];"]
    for (index, entry) in legend.enumerated() {
      lines.append("    \"/from\(index)\" -> \"/to\(index)\" [label=\(entry.text.dotLabel), \(dotStyle(entry.kind))];")
    }
    let words = legendWords.map { $0.escapedForDot + "\\l" }.joined()
    lines.append("    \"/words\" [shape=plaintext, label=\"\(words)\"];")
    return lines + ["  }"]
  }
}

extension Graph.Source {
  fileprivate var dotShape: String {
    switch self {
    case .link: "cds"
    case .rule: "hexagon"
    case .notification: "note"
    }
  }
}

extension String {
  /// A quoted label (Graphviz, "escString"). Escapes and entities are neutralized, and line feeds start a new line.
  fileprivate var dotLabel: String { "\"\(escapedForDot)\"" }

  /// The text inside the quotes of a label.
  fileprivate var escapedForDot: String {
    escaped { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "&": "&amp;"
      case "<": "&lt;"
      case "\n": "\\n"
      default: nil
      }
    }
  }
}
