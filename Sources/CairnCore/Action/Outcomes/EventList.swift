/// The events of an action in order. Most actions that change the state run only one turn: one flow handles one step. A turn begins with
/// the event `willNavigate` and ends with `didNavigate`. To avoid an array, the list stores these two events of the first turn as one
/// `Turn`, and creates the `Event` values only when they are read.
struct EventList: Sendable {
  /// The first turn that the action ran.
  private struct Turn {
    let flow: Program.Flow
    let node: NodeID
    let step: Step
    /// Whether `didNavigate` has occurred. If another event occurs before `didNavigate`, `separate` moves the turn into the array.
    var isOver = false

    func event(_ type: Event.Kind) -> Event { Event(type, flow: flow.name, node: node, step: step) }

    func write(_ type: Event.Kind, to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("flow", flow.name)
      writer.member("node", node)
      if !step.params.isEmpty { writer.member("params", step.params) }
      writer.member("step", step.step)
      writer.member("type", type)
      writer.endObject()
    }
  }

  private var first: Turn?
  /// The events after the first turn; all events if `first` is `nil`.
  private var others: [Event] = []

  init() {}

  init(_ events: [Event]) { others = events }

  var count: Int { others.count + (first.map { $0.isOver ? 2 : 1 } ?? 0) }

  /// All events in order, created at each access.
  var values: [Event] {
    guard let first else { return others }
    return [first.event(.willNavigate)] + (first.isOver ? [first.event(.didNavigate)] : []) + others
  }

  /// Whether there is an event of this type.
  func has(_ type: Event.Kind) -> Bool {
    first != nil && (type == .willNavigate || type == .didNavigate) || others.contains { $0.type == type }
  }

  mutating func append(_ event: consuming Event) {
    if let first, !first.isOver { separate() }
    others.append(event)
  }

  /// Appends `willNavigate`: a flow starts to handle a step.
  mutating func beginTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) {
    if first == nil, others.isEmpty {
      first = Turn(flow: flow, node: node, step: step)
    } else {
      append(Event(.willNavigate, flow: flow.name, node: node, step: step))
    }
  }

  /// Appends `didNavigate`: the flow of the last `beginTurn` has handled the step.
  mutating func endTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) {
    if first?.isOver == false {
      first?.isOver = true
    } else {
      append(Event(.didNavigate, flow: flow.name, node: node, step: step))
    }
  }

  /// Removes the events after the first `count`.
  mutating func removeEvents(after count: Int) {
    separate()
    others.removeLast(others.count - count)
  }

  /// Moves the events of the first turn into the array.
  private mutating func separate() {
    others = values
    first = nil
  }
}

extension EventList: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    if let first {
      first.write(.willNavigate, to: &writer)
      if first.isOver { first.write(.didNavigate, to: &writer) }
    }
    for event in others { event.write(to: &writer) }
    writer.endArray()
  }
}
