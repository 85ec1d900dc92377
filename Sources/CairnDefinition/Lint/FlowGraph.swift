import CairnCore

/// Which flows make which, computed once. Flows have numbers, so that a search follows each edge once.
struct FlowGraph {
  /// The flows, in order; they are known by their places here.
  let names: [String]
  private let numbers: [String: Int]
  /// The flows that each one makes, and those that make it; each once.
  private let made: [[Int]]
  let makers: [[Int]]
  /// The screens that each one contributes; each once.
  let screens: [[String]]

  init(_ definition: Definition, _ makings: [Making]) {
    names = definition.flows.keys.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    var made = Array(repeating: Set<Int>(), count: names.count)
    var makers = made
    var screens = Array(repeating: Set<String>(), count: names.count)
    for making in makings {
      guard let maker = making.maker.flatMap({ numbers[$0] }) else { continue }
      if let screen = making.contribution.screen { screens[maker].insert(screen) }
      guard let flow = making.contribution.flow.flatMap({ numbers[$0] }) else { continue }
      made[maker].insert(flow)
      makers[flow].insert(maker)
    }
    self.numbers = numbers
    self.made = made.map { $0.sorted() }
    self.makers = makers.map { $0.sorted() }
    self.screens = screens.map { $0.sorted() }
  }

  /// nil: there is no such flow.
  func number(_ flow: String) -> Int? { numbers[flow] }

  /// Whether each flow is one of these.
  func marked(_ flows: some Sequence<Int>) -> [Bool] { reached(from: flows, by: Array(repeating: [], count: names.count)) }

  /// Whether each flow can come to be below some flows, these included.
  func below(_ flows: some Sequence<Int>) -> [Bool] { reached(from: flows, by: made) }

  /// Whether each flow can have one of these below it, these included.
  func above(_ flows: some Sequence<Int>) -> [Bool] { reached(from: flows, by: makers) }

  private func reached(from flows: some Sequence<Int>, by ways: [[Int]]) -> [Bool] {
    var found = Array(repeating: false, count: names.count)
    var next: [Int] = []
    for flow in flows where !found[flow] {
      found[flow] = true
      next.append(flow)
    }
    while let flow = next.popLast() {
      for other in ways[flow] where !found[other] {
        found[other] = true
        next.append(other)
      }
    }
    return found
  }
}
