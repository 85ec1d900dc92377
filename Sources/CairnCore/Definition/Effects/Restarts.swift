/// The loads of a definition that restart themselves: the end of such a load leads, through steps and loads that do not wait, to the
/// handler that starts the load again.
///
/// `check` warns of these loads, `explore` follows them, and the engine delays them by `interval`. A load of a value does not wait if its delay is
/// shorter than `interval`. A request always waits, because its response takes time.
package struct Restarts: Sendable {
  /// The shortest delay of a load that restarts itself, in milliseconds. It is also the default of the shortest delay of a timer.
  package static let interval: WideInt = 100

  /// A load that restarts itself.
  package struct Loop: Hashable, Sendable {
    /// The flow and the step whose handler starts the load.
    package var flow: String
    package var step: String
    /// The step that the end of the load sends and that causes the handler to run again.
    package var end: String
  }

  /// All loops, sorted. Loops through the step that a removed node sends are omitted.
  package let loops: [Loop]
  /// The steps that the ends of self-restarting loads send. Loops through the step that a removed node sends are included.
  let ends: Set<String>

  package init(_ definition: Definition) {
    // A client's engine does not end loads, so it needs no loops.
    #if CLIENT_ENGINE
      (loops, ends) = ([], [])
    #else
      let isConcerned = definition.startsLoadsThatDoNotWait
      let certain = isConcerned ? StepGraph(definition, withDepartures: false).loops : []
      loops = certain.sorted { ($0.flow, $0.step, $0.end) < ($1.flow, $1.step, $1.end) }
      ends = isConcerned ? Set(StepGraph(definition, withDepartures: true).loops.map { $0.end }) : []
    #endif
  }
}

extension Load {
  /// The steps that the end of the load may send; empty if the load waits.
  var endsAtOnce: [StepTemplate] { request == nil && delay < Restarts.interval ? templates : [] }
}

extension Definition {
  fileprivate var startsLoadsThatDoNotWait: Bool {
    let initialArrivals = flows.values.flatMap { $0.arrivals } + [Arrival(root, .child)]
    return initialArrivals.contains { $0.contribution.load?.endsAtOnce.isEmpty == false }
      || allParts.contains { parts in
        parts.loads.contains { !$0.endsAtOnce.isEmpty } || parts.makes.contains { $0.contribution.load?.endsAtOnce.isEmpty == false }
      }
  }

  fileprivate var allParts: [OperationParts] {
    flows.values.flatMap { flow in flow.handle.values.flatMap { $0.branches.flatMap { $0.operations.map { $0.parts } } } }
  }
}

/// The graph of handlers, with an edge from each handler to every handler that it causes to run without waiting. With `withDepartures`, the
/// graph also contains the steps that removed nodes send.
private struct StepGraph {
  private let definition: Definition
  private let withDepartures: Bool
  /// The flow and the step of each handler or adaptation.
  private var handlers: [(flow: String, step: String)] = []
  private var numbers: [String: [String: Int]] = [:]
  private var flowsHandling: [String: [String]] = [:]
  private var makers: [String: Set<String>] = [:]
  /// The successors of each handler. The last element contains the handlers of the steps that removed nodes send.
  private var followers: [[Int]] = []
  /// The loads without a delay: for each, the handler that starts it, the step that it sends at its end, and the flows that handle this step.
  private var ends: [(starter: Int, step: String, handlingFlows: [Int])] = []

  init(_ definition: Definition, withDepartures: Bool) {
    self.definition = definition
    self.withDepartures = withDepartures
    for (name, flow) in definition.flows.sortedByKey {
      for step in Set(flow.handle.keys).union(flow.adapt.keys).sorted() {
        numbers[name, default: [:]][step] = handlers.count
        handlers.append((name, step))
        flowsHandling[step, default: []].append(name)
      }
      for child in flow.makes.compactMap({ $0.contribution.flow }) where child != name { makers[child, default: []].insert(name) }
    }
    followers = Array(repeating: [], count: handlers.count + 1)
    if withDepartures { linkDepartures() }
    for (number, handler) in handlers.enumerated() { follow(handler.flow, handler.step, number) }
  }

  /// The loads whose end causes the handler that starts them to run again.
  var loops: [Restarts.Loop] {
    let rings = rings
    var loops: Set<Restarts.Loop> = []
    for (starter, step, handlingFlows) in ends where rings[starter] >= 0 && handlingFlows.contains(where: { rings[$0] == rings[starter] }) {
      loops.insert(Restarts.Loop(flow: handlers[starter].flow, step: handlers[starter].step, end: step))
    }
    return Array(loops)
  }

  private mutating func follow(_ flow: String, _ step: String, _ number: Int) {
    guard let described = definition.flows[flow] else { return }
    for adaptation in described.adapt[step] ?? [] { link(number, adaptation.to, from: [flow]) }
    let operations = described.handle[step]?.branches.flatMap { $0.operations } ?? []
    for parts in operations.map({ $0.parts }) {
      for sending in parts.sends { link(number, sending.template, to: sending.to, from: [flow]) }
      for arrival in parts.makes { link(number, making: arrival.contribution, by: flow) }
      let written = Set(parts.writes)
      if !written.isEmpty, let root = definition.root.flow {
        for rule in definition.rules where !rule.when.facts.isDisjoint(with: written) { link(number, rule.step, from: [root]) }
      }
      for load in parts.loads where !load.endsAtOnce.isEmpty { link(number, load, from: speakers(of: step, to: flow)) }
      if withDepartures, !parts.removals.isEmpty { followers[number].append(handlers.count) }
    }
  }

  /// Adds edges for the start steps and the load of a new node. If the node is a flow, adds edges for its initial nodes too.
  private mutating func link(_ number: Int, making contribution: Contribution, by flow: String) {
    var open = [(contribution, flow)]
    var seen: Set<String> = []
    while let (made, maker) = open.popLast() {
      let handlingFlow = made.flow ?? maker
      for start in made.start { link(number, start, from: [handlingFlow]) }
      if let load = made.load { link(number, load, from: [handlingFlow]) }
      guard let child = made.flow, seen.insert(child).inserted else { continue }
      open += (definition.flows[child]?.arrivals ?? []).map { ($0.contribution, child) }
    }
  }

  private mutating func link(_ number: Int, _ load: Load, from speakers: [String]) {
    for template in load.endsAtOnce {
      let handlingFlows = handlingFlows(of: template.step, to: template.to, from: speakers)
      ends.append((number, template.step, handlingFlows))
      followers[number] += handlingFlows
    }
  }

  /// Adds edges for the steps that removed nodes send. These edges start at one node of the graph, which all flows share.
  private mutating func linkDepartures() {
    for (name, flow) in definition.flows {
      for contribution in flow.makes.map({ $0.contribution }) {
        for template in contribution.steps.all + [contribution.then, contribution.otherwise].compactMap({ $0 }) {
          link(handlers.count, template, from: [name])
        }
      }
    }
  }

  private mutating func link(_ number: Int, _ template: StepTemplate, to destination: Operation.Destination? = nil, from speakers: [String])
  {
    followers[number] += handlingFlows(of: template.step, to: destination ?? template.to, from: speakers)
  }

  /// The flows whose screens may have sent a step that a flow handles: the flow itself, and the flows below it that do not handle the step.
  private func speakers(of step: String, to flow: String) -> [String] {
    guard definition.unhandled == .parent else { return [flow] }
    var speakers = [flow]
    var next = [flow]
    while let above = next.popLast() {
      for (child, makers) in makers where makers.contains(above) && numbers[child]?[step] == nil && !speakers.contains(child) {
        speakers.append(child)
        next.append(child)
      }
    }
    return speakers
  }

  private func handlingFlows(of step: String, to destination: Operation.Destination?, from speakers: [String]) -> [Int] {
    let first: Set<String> =
      switch destination {
      case nil, .current: Set(speakers)
      case .parent: speakers.reduce(into: []) { $0.formUnion(makers[$1] ?? []) }
      case .root: Set([definition.root.flow].compactMap { $0 })
      case .flow(let name): [name]
      case .all: Set(flowsHandling[step] ?? [])
      }
    var handlingFlows: Set<Int> = []
    var seen = first
    var next = Array(first)
    while let flow = next.popLast() {
      if let number = numbers[flow]?[step] {
        handlingFlows.insert(number)
      } else if definition.unhandled == .parent {
        for maker in makers[flow] ?? [] where seen.insert(maker).inserted { next.append(maker) }
      }
    }
    return handlingFlows.sorted()
  }

  /// The strongly connected component of each handler, identified by one of its members; -1 if no path returns to the handler.
  private var rings: [Int] {
    var order: [Int] = []
    var seen = Array(repeating: false, count: followers.count)
    for start in followers.indices { visit(start, followers, &seen) { order.append($0) } }
    var leaders = Array(repeating: [Int](), count: followers.count)
    for (number, following) in followers.enumerated() { for other in following { leaders[other].append(number) } }
    var rings = Array(repeating: -1, count: followers.count)
    seen = Array(repeating: false, count: followers.count)
    for start in order.reversed() {
      var ring: [Int] = []
      visit(start, leaders, &seen) { ring.append($0) }
      guard ring.count > 1 || ring.contains(where: { followers[$0].contains($0) }) else { continue }
      for number in ring { rings[number] = start }
    }
    return rings
  }

  /// Visits all handlers reachable from `start`, successors first. Iterative, because a path may be as long as the definition.
  private func visit(_ start: Int, _ ways: [[Int]], _ seen: inout [Bool], _ leave: (Int) -> Void) {
    guard !seen[start] else { return }
    seen[start] = true
    var open = [(start, 0)]
    while let (number, place) = open.last {
      guard place < ways[number].count else {
        leave(number)
        open.removeLast()
        continue
      }
      open[open.count - 1].1 += 1
      let next = ways[number][place]
      if !seen[next] {
        seen[next] = true
        open.append((next, 0))
      }
    }
  }
}
