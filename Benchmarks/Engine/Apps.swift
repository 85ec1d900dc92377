import CairnCore
import CairnDefinition
import Foundation

/// The time and nonce of each action in these benchmarks.
let stamp = Stamp(time: 1_700_000_000_000, nonce: "AAAAAAAAAAAAAAAAAAAAAA")
/// Pushes a screen onto the stack of `shop`'s home.
let push = Action.step(Step("productIsPicked", params: ["productId": 7]), from: nil)
/// Removes the top screen of that stack.
let pop = Action.pop(count: 1, node: nil)

/// The reducer of an app in config/apps. The working directory must be the project's.
func reducer(of app: String) throws -> Reducer {
  let path = "config/apps/\(app).yaml"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return Reducer(try DefinitionLoader.load(file: path, text: text).definition)
}

/// The reducer of `shop`, and a state with `screens` screens on the stack of its home.
func shop(_ screens: Int) throws -> (reducer: Reducer, state: State) {
  let reducer = try reducer(of: "shop")
  var (state, _) = try reducer.create(Creation(hasToken: true), stamp: stamp)
  for _ in 1..<screens { _ = try reducer.reduce(&state, push, stamp: stamp) }
  return (reducer, state)
}

/// The reducer of `rxflow-demo`, and a state at its dashboard, with tabs, ten nodes and timers.
func dashboard() throws -> (reducer: Reducer, state: State) {
  let reducer = try reducer(of: "rxflow-demo")
  return (reducer, try reducer.create(Creation(facts: ["onBoarded": true]), stamp: stamp).state)
}
