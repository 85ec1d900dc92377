import CairnCore

/// Works that measure only the reducer.
let reduceWorks: [Work] =
  [1, 21, 1_000].map { pushAndPop(on: $0) } + [
    Work(name: "1,000 pushes in one request on 1,000 nodes", actions: 1_000, isLong: true) {
      let (reducer, start) = try shop(1_000)
      return {
        var state = start
        for _ in 0..<1_000 { _ = try reducer.reduce(&state, push, stamp: stamp) }
      }
    },
    Work(name: "reduce: select of the other tab", actions: 2) {
      var (reducer, state) = try dashboard()
      return {
        for tab in [1, 0] { _ = try reducer.reduce(&state, .select(.tab(tab), node: nil), stamp: stamp) }
      }
    },
    Work(name: "reduce: select that changes nothing") {
      var (reducer, state) = try dashboard()
      return { _ = try reducer.reduce(&state, .select(.tab(0), node: nil), stamp: stamp) }
    },
  ]

private func pushAndPop(on screens: Int) -> Work {
  Work(name: "reduce: push and pop, a stack of \(screens == 1_000 ? "1,000" : "\(screens)")", actions: 2) {
    var (reducer, state) = try shop(screens)
    return {
      _ = try reducer.reduce(&state, push, stamp: stamp)
      _ = try reducer.reduce(&state, pop, stamp: stamp)
    }
  }
}
