import CairnCore

/// The graph of the flows that create other flows, computed once. Flows are numbered, so that a search visits each edge once.
struct FlowGraph {
  /// The names of the flows, sorted. A flow's number is its index here.
  let names: [String]
  private let numbers: [String: Int]
  /// The flows that each flow creates, and the flows that create it, without duplicates.
  private let made: [[Int]]
  let makers: [[Int]]
  /// The screens that each flow creates, without duplicates.
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

  /// The number of a flow; `nil` if the flow does not exist.
  func number(_ flow: String) -> Int? { numbers[flow] }

  /// For each flow, whether it is one of `flows`.
  func marked(_ flows: some Sequence<Int>) -> [Bool] { reached(from: flows, by: Array(repeating: [], count: names.count)) }

  /// For each flow, whether it is one of `flows` or can be created below one of them.
  func below(_ flows: some Sequence<Int>) -> [Bool] { reached(from: flows, by: made) }

  /// For each flow, whether it is one of `flows` or can have one of them below it.
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
