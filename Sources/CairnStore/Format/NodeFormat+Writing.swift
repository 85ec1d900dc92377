import CairnCore

extension NodeFormat {
  /// A node as it differs from the one before it; nil: from one that was just born.
  static func write(_ node: Node, over old: Node?, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("i", node.id.number)
    if node.kind != old?.kind { writer.member("k", word(node.kind)) }
    if node.name != old?.name { writer.member("a", node.name) }
    writer.member("f", node.flow, unless: old?.flow)
    writer.member("o", node.owner?.number, unless: old?.owner?.number)
    writer.member("p", node.parent?.number, unless: old?.parent?.number)
    writeChildren(of: node, over: old?.children ?? [], &writer)
    writer.member("s", node.selected, unless: old?.selected)
    writer.member("m", node.presented?.number, unless: old?.presented?.number)
    writer.member("y", node.style.map(word), unless: old?.style.map(word))
    writer.member("n", node.on?.number, unless: old?.on?.number)
    if node.params != old?.params ?? [:] {
      writer.name("q")
      writer.write(node.params)
    }
    if node.content != old?.content { write(node.content, &writer) }
    if node.ended != old?.ended ?? false { writer.member("e", node.ended) }
    if node.listen != old?.listen ?? Listen() {
      writer.name("l")
      writer.open("{")
      writer.member("hidden", node.listen.hidden)
      writer.member("dismissed", node.listen.dismissed)
      writer.close("}")
    }
    if node.left != old?.left {
      writer.name("x")
      if let left = node.left { TemplateFormat.write(left, &writer) } else { writer.null() }
    }
    writer.member("z", node.authorization, unless: old?.authorization)
    writer.close("}")
  }

  /// A long stack of which only the top changed is the number of those that stay, and what is above them.
  private static func writeChildren(of node: Node, over old: [NodeID], _ writer: inout DiskWriter) {
    guard node.children != old else { return }
    let kept = zip(node.children, old).prefix { $0 == $1 }.count
    writer.name(kept > 0 ? "C" : "c")
    writer.open("[")
    if kept > 0 {
      writer.separate()
      writer.write(kept)
    }
    for child in node.children.dropFirst(kept) {
      writer.separate()
      writer.write(child)
    }
    writer.close("]")
  }

  private static func write(_ content: Content?, _ writer: inout DiskWriter) {
    writer.name("v")
    guard let content else { return writer.null() }
    writer.open("{")
    writer.member("s", word(content.status))
    if let value = content.value {
      writer.name("v")
      writer.write(value)
    }
    if let error = content.error { writer.member("e", error) }
    writer.close("}")
  }

  // The words on the disk are the format's own, and the compiler asks for one for each case.

  private static func word(_ kind: Node.Kind) -> String {
    switch kind {
    case .stack: "stack"
    case .tabs: "tabs"
    case .oneOf: "switch"
    case .split: "split"
    case .screen: "screen"
    case .alert: "alert"
    }
  }

  /// Of a style.
  static func word(_ style: PresentationStyle) -> String {
    switch style {
    case .sheet: "sheet"
    case .fullScreen: "fullScreen"
    case .alert: "alert"
    }
  }

  /// nil: no such word.
  static func presentationStyle(_ word: String) -> PresentationStyle? {
    switch word {
    case "sheet": .sheet
    case "fullScreen": .fullScreen
    case "alert": .alert
    default: nil
    }
  }

  private static func word(_ status: ContentStatus) -> String {
    switch status {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// nil: no such word.
  static func contentStatus(_ word: String) -> ContentStatus? {
    switch word {
    case "idle": .idle
    case "loading": .loading
    case "loaded": .loaded
    case "failed": .failed
    default: nil
    }
  }
}
