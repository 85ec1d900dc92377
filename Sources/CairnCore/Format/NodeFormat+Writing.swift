extension NodeFormat {
  /// Writes the member `n`, the new and changed nodes, and the member `x`, the removed nodes. If `transition` is given, it supplies the changed nodes;
  /// otherwise the nodes of the states are compared.
  static func writeChanged(from old: State, to new: State, by transition: Transition?, _ writer: inout JSONWriter) {
    var gone: [NodeID] = []
    var isOpen = false
    forEachNode(from: old, to: new, by: transition) { now, past, kept in
      guard let now else {
        if let past { gone.append(past.id) }
        return
      }
      if !isOpen {
        writer.name("n")
        writer.beginArray()
        isOpen = true
      }
      write(now, over: past, kept, &writer)
    }
    if isOpen { writer.endArray() }
    guard !gone.isEmpty else { return }
    writer.name("x")
    writer.beginArray()
    for node in gone { writer.integer(node.number) }
    writer.endArray()
  }

  private static func forEachNode(
    from old: State, to new: State, by transition: Transition?, _ visit: (_ now: NodeReading?, _ past: NodeReading?, _ kept: Int?) -> Void
  ) {
    if let transition { return transition.forEachNode(from: old, to: new, visit) }
    NodeDifference.forEachReading(from: old.nodes, to: new.nodes) { visit($0, $1, nil) }
  }

  /// Writes the differences between a node and its earlier version `past`, which is `nil` for a new node. `kept` is the number of leading
  /// children that are known to be unchanged; `nil` if it is unknown.
  private static func write(
    _ node: NodeReading, over past: NodeReading?, _ kept: Int?, _ writer: inout JSONWriter
  ) {
    let now = node.fields
    let before = past?.fields ?? .none
    writer.beginObject()
    writer.member("i", node.id.number)
    if let kind = now.kind, kind != before.kind { writer.member("k", kind.stored.description) }
    if past.map({ !node.isNamed(as: $0) }) ?? true {
      let (name, flow) = (node.name, node.flow)
      if past.map({ name != $0.name }) ?? true { writer.member("a", name) }
      writer.member("f", flow, unless: past.flatMap { $0.flow })
    }
    writer.member("o", now.owner?.number, unless: before.owner?.number)
    writer.member("p", now.parent?.number, unless: before.parent?.number)
    if let past, let kept {
      write(childrenOf: node, over: past, kept, &writer)
    } else {
      write(children: node.children, over: past.map { $0.children } ?? [], &writer)
    }
    writer.member("s", now.selected.map { WideInt($0) }, unless: before.selected.map { WideInt($0) })
    writer.member("m", now.presented?.number, unless: before.presented?.number)
    if now.style != before.style {
      writer.name("y")
      if let style = now.style { writer.string(word(style)) } else { writer.null() }
    }
    writer.member("n", now.on?.number, unless: before.on?.number)
    if past.map({ !node.sharesDetails(with: $0) }) ?? node.hasDetails {
      writeDetails(of: node, over: past, &writer)
    }
    writer.member("level", now.level.map { WideInt($0) }, unless: before.level.map { WideInt($0) })
    writer.member("order", now.order?.number, unless: before.order?.number)
    if now.flags != before.flags {
      let changed = now.flags.symmetricDifference(before.flags)
      for row in NodeFlags.rows where changed[row.flag] {
        if let word = row.stored { writer.member(word, now.flags[row.flag]) }
      }
    }
    if now.listen != before.listen {
      writer.name("l")
      Listen.write(now.listen, &writer)
    }
    writer.endObject()
  }

  private static func writeDetails(
    of node: NodeReading, over past: NodeReading?, _ writer: inout JSONWriter
  ) {
    let params = node.params
    if params != past.map({ $0.params }) ?? [:] {
      writer.member("q", params)
    }
    let facts = node.facts
    if facts != past.map({ $0.facts }) ?? [:] {
      writer.member("facts", facts)
    }
    let content = node.content
    if content != past.flatMap({ $0.content }) { write(content, &writer) }
    let steps = node.steps
    let pastSteps = past.map { $0.steps } ?? NodeSteps()
    write("x", steps.removed, unless: pastSteps.removed, &writer)
    write("seen", steps.seen, unless: pastSteps.seen, &writer)
    write("unseen", steps.unseen, unless: pastSteps.unseen, &writer)
    let leave = node.leave
    if leave != past.flatMap({ $0.leave }) {
      writer.name("g")
      if let leave { Leave.write(leave, &writer) } else { writer.null() }
    }
    let resultReceiver = node.resultReceiver
    if resultReceiver != past.flatMap({ $0.resultReceiver }) {
      writer.name("Q")
      if let resultReceiver { ResultReceiver.write(resultReceiver, &writer) } else { writer.null() }
    }
    writer.member("z", node.authorization, unless: past.flatMap { $0.authorization })
    writer.member("slot", node.slot, unless: past.flatMap { $0.slot })
    let visited = node.visited
    if visited != past.map({ $0.visited }) ?? [] { write("visited", visited[...], &writer) }
  }

  private static func write(_ name: StaticString, _ step: StepTemplate?, unless past: StepTemplate?, _ writer: inout JSONWriter) {
    guard step != past else { return }
    writer.name(name)
    if let step { StepTemplate.write(step, &writer) } else { writer.null() }
  }

  /// Writes only the children after the common ones, together with the number of common children. This keeps changes of a long stack short.
  private static func write(children: [NodeID], over old: [NodeID], _ writer: inout JSONWriter) {
    guard children != old else { return }
    var kept = 0
    while kept < children.count, kept < old.count, children[kept] == old[kept] { kept += 1 }
    write(children[kept...], behind: kept, &writer)
  }

  /// Writes the children after the first `kept` ones.
  private static func write(childrenOf node: NodeReading, over past: NodeReading, _ kept: Int, _ writer: inout JSONWriter) {
    let kept = min(kept, past.childCount)
    guard node.childCount != kept || past.childCount != kept else { return }
    write(node.children(after: kept)[...], behind: kept, &writer)
  }

  private static func write(_ children: ArraySlice<NodeID>, behind kept: Int, _ writer: inout JSONWriter) {
    write(kept > 0 ? "C" : "c", children, behind: kept, &writer)
  }

  /// Writes a list of nodes. If `kept` children precede these nodes, writes the number `kept` first.
  private static func write(_ name: StaticString, _ nodes: ArraySlice<NodeID>, behind kept: Int = 0, _ writer: inout JSONWriter) {
    writer.name(name)
    writer.beginArray()
    if kept > 0 { writer.integer(kept) }
    for node in nodes { writer.integer(node.number) }
    writer.endArray()
  }

  private static func write(_ content: Content?, _ writer: inout JSONWriter) {
    writer.name("v")
    guard let content else { return writer.null() }
    writer.beginObject()
    writer.member("s", word(content.status))
    if let value = content.value {
      writer.member("v", value)
    }
    if let error = content.error { writer.member("e", error) }
    writer.endObject()
  }

  // The stored words are defined here, independently of the enums' raw values. The compiler requires a word for each case.

  /// The stored word of a presentation style.
  static func word(_ style: PresentationStyle) -> String {
    switch style {
    case .sheet: "sheet"
    case .fullScreen: "fullScreen"
    case .alert: "alert"
    }
  }

  /// The style for a stored word; `nil` if the word is unknown.
  static func presentationStyle(_ word: String) -> PresentationStyle? {
    switch word {
    case "sheet": .sheet
    case "fullScreen": .fullScreen
    case "alert": .alert
    default: nil
    }
  }

  static func word(_ status: ContentStatus) -> String {
    switch status {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// The status for a stored word; `nil` if the word is unknown.
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
