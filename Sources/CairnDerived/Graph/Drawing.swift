import CairnCore

/// Collects the arrows of a definition without duplicates, in the order of the names of flows and steps. The
/// functions throw as soon as the drawing would exceed its limit.
struct Drawing {
  let definition: Definition
  /// The screens that each flow creates.
  var screens: [String: Set<String>] = [:]
  /// For each flow and step, the nodes of the drawing that send the step to the flow, in order. They include screens of flows below this
  /// flow, whose steps bubble up to it.
  private var emitters: [String: [String: [Graph.Place]]] = [:]
  /// For each screen, the first flow that creates it.
  private var homes: [String: String] = [:]
  /// For each flow, the flows that create it, in order.
  private var makers: [String: [String]] = [:]
  private var handlingFlows: HandlingFlows
  /// For each flow, the steps that reach it from a source other than a screen.
  private var sent: [String: Set<String>] = [:]
  private(set) var arrows: [Graph.Arrow] = []
  /// The links, notifications and rules, in the order in which they are drawn.
  var sources: [Graph.Source] = []
  private var seen: Set<Graph.Arrow> = []
  /// The number of bytes by which the drawing may still grow.
  private var room: Int

  /// Collects the screens, the flows that handle their steps, and all other senders. Throws as soon as the drawing would have more than `limit` bytes:
  /// a step that many screens send to many flows has an arrow for each pair.
  init(_ definition: Definition, limit: Int) throws(Graph.TooLarge) {
    self.definition = definition
    room = limit
    for (name, flow) in definition.flows.sortedByKey {
      for arrival in flow.arrivals + flow.made {
        switch Self.place(arrival, in: name) {
        case .screen(let screen, let home): screens[home, default: []].insert(screen)
        // The flows are visited in order, so a duplicate can only be the last element.
        case .flow(let other): if other != name, makers[other]?.last != name { makers[other, default: []].append(name) }
        case .source: break
        }
      }
    }
    handlingFlows = HandlingFlows(definition, makers: makers)
    let screenBytes = definition.screens.mapValues { screen in
      screen.params.keys.reduce(0) { $0 + $1.utf8.count + 16 } + (screen.emits ?? []).reduce(0) { $0 + $1.utf8.count + 4 }
    }
    for (flow, screens) in screens.sortedByKey {
      for screen in screens.sorted() {
        if homes[screen] == nil { homes[screen] = flow }
        // The drawing repeats the params and steps of a screen for each flow that creates it.
        try take(screenBytes[screen, default: 0] + screen.utf8.count + flow.utf8.count + 128)
        for step in definition.screens[screen]?.emits ?? [] {
          for handlingFlow in handlingFlows.handlingFlows(of: step, from: flow) {
            try emit(step, to: handlingFlow, from: .screen(screen, of: flow))
          }
        }
      }
    }
    try noteShared()
    try noteAsked()
    try noteSent()
  }

  /// Subtracts bytes from `room`. Throws if the limit is exceeded.
  private mutating func take(_ bytes: Int) throws(Graph.TooLarge) {
    room -= bytes
    guard room >= 0 else { throw Graph.TooLarge() }
  }

  private mutating func emit(_ step: String, to handlingFlow: String, from place: Graph.Place) throws(Graph.TooLarge) {
    try take(MemoryLayout<Graph.Place>.size)
    emitters[handlingFlow, default: [:]][step, default: []].append(place)
  }

  /// Makes the flow the sender of each step that every screen below it may send, so that the step has one arrow instead of one per screen.
  private mutating func noteShared() throws(Graph.TooLarge) {
    for (name, flow) in definition.flows.sortedByKey {
      for step in flow.emits.sorted() {
        for handlingFlow in handlingFlows.handlingFlows(of: step, from: name) {
          try emit(step, to: handlingFlow, from: .flow(name))
        }
      }
    }
  }

  /// Adds each guarded screen as a sender of its `guard` step, as if the screen emitted the step.
  private mutating func noteAsked() throws(Graph.TooLarge) {
    for (name, flow) in definition.flows.sortedByKey {
      for arrival in flow.arrivals + flow.made {
        let place = Self.place(arrival, in: name)
        guard case .screen = place, let step = arrival.contribution.leave?.ask else { continue }
        for handlingFlow in receivers(of: step, from: name) { try emit(step.step, to: handlingFlow, from: place) }
      }
    }
  }

  /// Collects the steps that have a source other than a screen. Their arrows begin at the dot of the flow that receives them.
  private mutating func noteSent() throws(Graph.TooLarge) {
    let unmatched = [definition.unmatched].compactMap(\.self)
    for step in definition.links.flatMap({ $0.steps + [$0.otherwise].compactMap(\.self) }) + unmatched + definition.taken {
      try note(step.step, at: receivers(of: step))
    }
    if case .flow(let root) = definition.root.target {
      for step in definition.rules.map(\.step) + definition.root.start { try note(step.step, at: receivers(of: step, from: root)) }
    }
    for (name, flow) in definition.flows {
      for step in flow.tabs.templates + flow.idle.map(\.step) { try note(step.step, at: receivers(of: step, from: name)) }
      for arrival in flow.arrivals + flow.made {
        // A flow receives its own start steps. The other steps of a node go to the flow that created it.
        for step in arrival.contribution.start {
          try note(step.step, at: arrival.contribution.flow.map { receivers(of: step, from: $0) } ?? [])
        }
        for later in definition.later(of: arrival.contribution) where !later.isSaidByScreen {
          try note(later.step.step, at: receivers(of: later, madeBy: name))
        }
      }
      for (_, _, operation) in flow.operations {
        for sending in operation.parts.sends { try note(sending.template.step, at: receivers(of: sending, from: name)) }
        for step in operation.parts.loads.flatMap(\.templates) + operation.parts.submissions.flatMap(\.templates)
          + operation.parts.timers.map(\.step)
        {
          try note(step.step, at: receivers(of: step, from: name))
        }
      }
    }
  }

  /// Records that a step reaches these flows from a source other than a screen.
  private mutating func note(_ step: String, at handlingFlows: [String]) throws(Graph.TooLarge) {
    try take(handlingFlows.count)
    for handlingFlow in handlingFlows { sent[handlingFlow, default: []].insert(step) }
  }

  /// The flows that receive a step which a handler of `flow` sends.
  private mutating func receivers(of sending: OperationParts.Sending, from flow: String) -> [String] {
    var template = sending.template
    template.to = sending.to
    return receivers(of: template, from: flow)
  }

  /// The flows that receive a step which `flow` sends. Without `to`, these are `flow` itself, or the flows to which the step bubbles from
  /// `flow`.
  mutating func receivers(of template: StepTemplate, from flow: String) -> [String] {
    handlingFlows.handlingFlows(of: template, sentBy: flow) ?? handlingFlows.handlingFlows(of: template.step, from: flow)
  }

  /// The flows that receive a step that a node sends later: the flow that created the node or, for the `guard` step of a guarded flow, this
  /// flow itself.
  private mutating func receivers(of later: Later, madeBy flow: String) -> [String] {
    receivers(of: later.step, from: later.isAsked ? later.flow ?? flow : flow)
  }

  /// The flows that can receive a step of a link or notification. Without `to`, the visible flow receives the step, so every flow that
  /// handles it is a possible receiver.
  mutating func receivers(of template: StepTemplate) -> [String] {
    handlingFlows.handlingFlows(of: template, sentBy: definition.root.flow ?? "") ?? handlingFlows.everyHandlingFlow(of: template.step)
  }

  mutating func draw(_ name: String) throws(Graph.TooLarge) {
    guard let flow = definition.flows[name] else { return }
    for arrival in flow.arrivals {
      let kind: Graph.Kind = flow.container == .tabs ? .tab : .birth
      let place = Self.place(arrival, in: name)
      try add(Graph.Arrow(from: .flow(name), to: place, label: arrival.contribution.start.first?.step ?? "", kind: kind))
      try drawLater(arrival, at: place, of: name)
    }
    let ofTabs =
      [flow.tabs.reselect.step].compactMap(\.self).map { ("reselect", $0) }
      + flow.tabs.gates.compactMap { $0.otherwise.map { ("requires", $0) } } + flow.idle.map { ("idle", $0.step) }
    for (word, step) in ofTabs {
      for handlingFlow in receivers(of: step, from: name) {
        try add(Graph.Arrow(from: .flow(name), to: .flow(handlingFlow), label: "\(word): \(step.step)", kind: .send))
      }
    }
    for (step, branch, operation) in flow.operations {
      let condition = branch?.shortText.cut
      for arrival in operation.parts.makes { try drawLater(arrival, at: Self.place(arrival, in: name), of: name) }
      let destinations = destinations(of: operation, in: name, step: step)
      for origin in origins(of: step, in: name, when: branch) {
        // The flow to which the step bubbles; `nil` if the flow of the origin handles it.
        let handlingFlow: String? = origin.flow == name ? nil : name
        for (place, label, kind) in destinations where place != origin || kind != .send {
          try add(Graph.Arrow(from: origin, to: place, label: label, kind: kind, condition: condition, handlingFlow: handlingFlow))
        }
        // Each step that a load sends when its request ends gets an arrow to the flow whose handler starts the load. The arrow's label begins with the
        // method of the request.
        for label in operation.parts.calls {
          try add(Graph.Arrow(from: origin, to: .flow(name), label: label, kind: .send, condition: condition))
        }
        for timer in operation.parts.timers {
          for receiver in receivers(of: timer.step, from: name) {
            try add(Graph.Arrow(from: origin, to: .flow(receiver), label: "timer: \(timer.step.step)", kind: .send, condition: condition))
          }
        }
      }
    }
  }

  /// Draws the steps that a node sends without an action of the user: for example, the steps of its timers and its load, of its removal,
  /// and of its result.
  private mutating func drawLater(_ arrival: Arrival, at place: Graph.Place, of flow: String) throws(Graph.TooLarge) {
    for later in definition.later(of: arrival.contribution) {
      for handlingFlow in receivers(of: later, madeBy: flow) {
        try add(Graph.Arrow(from: place, to: .flow(handlingFlow), label: "\(later.word): \(later.step.step)", kind: .send))
      }
    }
  }

  /// Adds an arrow unless an equal arrow exists. Throws if the drawing would exceed its limit.
  mutating func add(_ arrow: Graph.Arrow) throws(Graph.TooLarge) {
    guard seen.insert(arrow).inserted else { return try take(1) }
    try take(arrow.bytes)
    arrows.append(arrow)
  }

  /// The nodes of the drawing from which the step is sent to the flow. For a branch, only screens are included that can be visible while
  /// its condition is true. The flow itself is included if a source other than a screen sends the step, or if no sender is known.
  private func origins(of step: String, in flow: String, when branch: Guard?) -> [Graph.Place] {
    let all = emitters[flow]?[step] ?? []
    var screens = all
    if let visible = branch?.visibleScreens {
      screens = all.filter { if case .screen(let name, _) = $0 { visible.contains(name) } else { true } }
      // The condition may be true for a screen other than the sender: an alert closes first, and both panes of a split are visible.
      if screens.isEmpty { screens = all }
    }
    guard screens.isEmpty || sent[flow]?.contains(step) == true, !screens.contains(.flow(flow)) else { return screens }
    return screens + [.flow(flow)]
  }

  private static func place(_ arrival: Arrival, in flow: String) -> Graph.Place {
    switch arrival.contribution.target {
    case .screen(let screen):
      if case .onChild(let child) = arrival.way { .screen(screen, of: child) } else { .screen(screen, of: flow) }
    case .flow(let other): .flow(other)
    }
  }

  private mutating func destinations(of operation: Operation, in flow: String, step: String) -> [(Graph.Place, String, Graph.Kind)] {
    let parts = operation.parts
    let shown = Set(parts.makes.compactMap(\.childItGoesOn))
    var destinations = parts.makes.filter { !$0.isChild(among: shown) }.map { (Self.place($0, in: flow), step, $0.way.kind) }
    for goal in parts.goals {
      switch goal {
      case .front(let place), .back(let place), .raised(let place):
        let node = place.kind == .flow ? Graph.Place.flow(place.name) : home(of: place.name, near: flow)
        if let node { destinations.append((node, step, .back)) }
      case .removed, .tab, .closed: break
      }
    }
    // The step of an `end` goes to the flows that create the ended flow, even if they do not handle it.
    let kind: Graph.Kind = parts.removals.contains(.flow) ? .end : .send
    for sending in parts.sends {
      let receivers = kind == .end && sending.to == .parent ? makers[flow] ?? [] : receivers(of: sending, from: flow)
      let label = sending.template.step == step ? step : "\(step) → \(sending.template.step)"
      destinations += receivers.map { (.flow($0), label, kind) }
    }
    // The flows that create a flow receive its result.
    if kind == .end, parts.sends.isEmpty { destinations += (makers[flow] ?? []).map { (.flow($0), step, .end) } }
    return destinations
  }

  private func home(of screen: String, near flow: String) -> Graph.Place? {
    if screens[flow]?.contains(screen) == true { return .screen(screen, of: flow) }
    return homes[screen].map { .screen(screen, of: $0) }
  }
}

extension Graph.Arrow {
  /// An upper estimate of the arrow's size as JSON, without escapes.
  fileprivate var bytes: Int {
    label.utf8.count + (condition?.utf8.count ?? 0) + from.bytes + to.bytes + (handlingFlow?.utf8.count ?? 0) + 128
  }
}

extension Graph.Place {
  fileprivate var bytes: Int {
    switch self {
    case .flow(let name): name.utf8.count
    case .screen(let name, of: let flow): name.utf8.count + flow.utf8.count
    case .source: 8
    }
  }
}

extension FlowDefinition {
  /// The nodes that the flow's handlers create.
  fileprivate var made: [Arrival] { handle.values.flatMap(\.makes) }

  /// The operations of the flow's handlers, each with its step and its branch's condition.
  fileprivate var operations: [(step: String, condition: Guard?, operation: Operation)] {
    handle.sortedByKey.flatMap { step, handler in
      handler.branches.flatMap { branch in branch.operations.map { (step, branch.when, $0) } }
    }
  }
}

extension Arrival {
  /// The child of a switch on which the node is pushed; `nil` if the node is not pushed on such a child.
  fileprivate var childItGoesOn: String? { if case .onChild(let flow) = way { flow } else { nil } }

  /// Whether the node is a child of a switch on which another node is pushed. No arrow is drawn to such a child, because an arrow leads to
  /// the node that is pushed on it.
  fileprivate func isChild(among flows: Set<String>) -> Bool {
    guard case .flow(let flow) = contribution.target, way == .child else { return false }
    return flows.contains(flow)
  }
}

extension Arrival.Way {
  fileprivate var kind: Graph.Kind {
    switch self {
    case .pushed: .push
    case .replacing, .stacked: .replace
    case .presented: .present
    case .raised: .raise
    case .overlay: .overlay
    case .tab: .tab
    case .master: .birth
    case .detail: .detail
    case .child, .onChild: .show
    }
  }
}

extension String {
  /// The text, truncated to at most 48 characters for an arrow's label.
  var cut: String { count <= 48 ? self : "\(prefix(47))…" }
}

extension OperationParts {
  /// A label for each step that a load sends when its request ends, such as `POST orderPlaced`.
  fileprivate var calls: [String] {
    loads.flatMap { load in load.request.map { request in load.templates.map { "\(request.method.word) \($0.step)" } } ?? [] }
  }
}
