import CairnCore

extension Graph {
  /// The drawing as a Mermaid flowchart, which code hosts render inside Markdown.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    for cluster in clusters {
      lines.append("  subgraph \(id("c", cluster.flow))[\"\(cluster.text.quotedForMermaid)\"]")
      lines.append("    \(id(.flow(cluster.flow)))((\" \"))")
      lines += cluster.screens.map { "    \(id(.screen($0, of: cluster.flow)))[\"\($0)\"]" }
      lines.append("  end")
    }
    for (index, source) in sources.enumerated() {
      switch source {
      case .link: lines.append("  \(id(.source(index)))>\"\(source.text.quotedForMermaid)\"]")
      case .rule: lines.append("  \(id(.source(index))){{\"\(source.text.quotedForMermaid)\"}}")
      case .notification: lines.append("  \(id(.source(index)))[/\"\(source.text.quotedForMermaid)\"/]")
      }
    }
    for arrow in arrows {
      let label = arrow.text.isEmpty ? "" : "|\"\((arrow.text + suffix(arrow.kind)).quotedForMermaid)\"|"
      lines.append("  \(id(arrow.from)) \(stroke(arrow.kind))\(label) \(id(arrow.to))")
    }
    return (lines + mermaidLegend).joined(separator: "\n") + "\n"
  }

  private func id(_ place: Place) -> String {
    switch place {
    case .flow(let flow): id("f", flow)
    case .screen(let screen, let flow): id("s", flow + "/" + screen)
    case .source(let index): "x_\(index)"
    }
  }

  /// A Mermaid identifier. Mermaid accepts only letters, digits and `_`, so every other character is written as its number.
  private func id(_ prefix: String, _ name: String) -> String {
    name.unicodeScalars.reduce(into: prefix + "_") { id, scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      id += isPlain ? String(scalar) : "_\(scalar.value)_"
    }
  }

  private func stroke(_ kind: Kind) -> String {
    switch kind {
    case .push, .show, .detail, .replace: "-->"
    case .present, .raise, .overlay, .end, .send: "-.->"
    case .tab, .birth: "---"
    case .back: "==>"
    }
  }

  private func suffix(_ kind: Kind) -> String {
    switch kind {
    case .present: " (present)"
    case .raise: " (level)"
    case .overlay: " (overlay)"
    case .end: " (end)"
    case .back: " (back)"
    case .replace: " (replace)"
    case .push, .show, .tab, .detail, .birth, .send: ""
    }
  }

  private var mermaidLegend: [String] {
    var lines = ["  subgraph legend"]
    for (index, entry) in legend.enumerated() {
      lines.append("    la_\(index)(( )) \(stroke(entry.kind))|\"\(entry.text.quotedForMermaid)\"| lb_\(index)(( ))")
    }
    lines.append("    lw[\"\(legendWords.map(\.quotedForMermaid).joined(separator: "<br>"))\"]")
    return lines + ["  end"]
  }
}

extension String {
  /// The text inside the quotes of a label. Entities, HTML, backticks and `%%` are escaped because Mermaid interprets them everywhere. Line feeds are
  /// replaced because they would end the statement.
  fileprivate var quotedForMermaid: String {
    escaped { scalar in
      switch scalar {
      case "\"": "#quot;"
      case "<": "#lt;"
      case "&": "#amp;"
      case "#", "`", "%", "\\": "#\(scalar.value);"
      case "\n": "<br>"
      default: nil
      }
    }
  }
}
