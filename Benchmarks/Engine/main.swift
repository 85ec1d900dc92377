import CairnAPI
import CairnCore
import CairnDefinition
import Foundation
import Glibc

// The engine alone, one thread: what a second of CPU is worth before HTTP and the disk take their share. CPU time, not the clock's:
// what else runs on the machine takes turns, and those do not count.
// Built and run by `Benchmarks/engine`; words on the command line choose the lines that contain one of them.

let chosen = CommandLine.arguments.dropFirst()
let second = 1.0

/// Seconds of CPU that this process has used.
func cpuTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs `work`, `count` actions a call, for about a second three times; prints the median, the lowest and the highest a second.
func measure(_ name: String, count: Int = 1, _ work: () throws -> Void) rethrows {
  guard chosen.isEmpty || chosen.contains(where: name.contains) else { return }
  var rates: [Double] = []
  for _ in 0..<3 {
    let start = cpuTime()
    var calls = 0
    var elapsed = 0.0
    while elapsed < second {
      for _ in 0..<100 { try work() }
      calls += 100
      elapsed = cpuTime() - start
    }
    rates.append(Double(calls * count) / elapsed)
  }
  rates.sort()
  print(name.padding(toLength: 56, withPad: " ", startingAt: 0), Int(rates[1]), "(\(Int(rates[0]))-\(Int(rates[2])))")
}

func reducer(of app: String) throws -> Reducer {
  let path = "config/apps/\(app).yaml"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return Reducer(try DefinitionLoader.load(file: path, text: text).definition)
}

let stamp = Stamp(time: 1_700_000_000_000, nonce: "AAAAAAAAAAAAAAAAAAAAAA")
let shop = try reducer(of: "shop")
let demo = try reducer(of: "rxflow-demo")
let product = Action.step(Step("productIsPicked", params: ["productId": 7]), from: nil)
let pop = Action.pop(count: 1, node: nil)
let tabs = [Action.select(.tab(1), node: nil), Action.select(.tab(0), node: nil)]

let (home, _) = try shop.create(Creation(hasToken: true), stamp: stamp)
let (dashboard, _) = try demo.create(Creation(facts: ["onBoarded": true]), stamp: stamp)
var deep = home
for _ in 0..<20 { _ = try shop.reduce(&deep, product, stamp: stamp) }

var state = home
try measure("reduce: push and pop, a stack of one", count: 2) {
  _ = try shop.reduce(&state, product, stamp: stamp)
  _ = try shop.reduce(&state, pop, stamp: stamp)
}
state = deep
try measure("reduce: push and pop, a stack of 21", count: 2) {
  _ = try shop.reduce(&state, product, stamp: stamp)
  _ = try shop.reduce(&state, pop, stamp: stamp)
}
state = dashboard
try measure("reduce: select, \(state.nodes.count) nodes", count: 2) {
  for tab in tabs { _ = try demo.reduce(&state, tab, stamp: stamp) }
}
let (changed, transition) = try {
  var state = dashboard
  let transition = try demo.reduce(&state, tabs[0], stamp: stamp)
  return (state, transition)
}()
for isMinimal in [false, true] {
  try measure("encode: the answer to select\(isMinimal ? ", return=minimal" : "")") {
    let seen = Seen(changed, demo, isMinimal: isMinimal)
    _ = try JSONText.bytes(ActionBody(transition, revision: changed.revision, seen: seen))
  }
}
measure("view: stack and tree") { _ = (demo.routes(of: changed), demo.tree(of: changed)) }
measure("view: what is accepted") { _ = demo.accepts(changed) }
try measure("encode: a session") {
  _ = try JSONText.bytes(
    SessionBody(
      id: "s", app: "rxflow-demo", definition: "", label: nil, createdAt: 0, updatedAt: 0, state: changed, reducer: demo))
}
let stored = try JSONEncoder().encode(dashboard)
try measure("encode: the state, \(stored.count) bytes") { _ = try JSONEncoder().encode(dashboard) }
try measure("decode: the state") { _ = try JSONDecoder().decode(State.self, from: stored) }
let body = Array(#"{"step":"productIsPicked","params":{"productId":7}}"#.utf8)
try measure("decode: a step") { _ = try JSONBody.read(body) { element throws(BodyFault) in try ActionRequest(element, byOperator: false) } }
let gesture = Array(#"{"type":"select","tab":1}"#.utf8)
try measure("decode: a select") {
  _ = try JSONBody.read(gesture) { element throws(BodyFault) in try ActionRequest(element, byOperator: false) }
}
let back = Array(#"{"type":"pop"}"#.utf8)
try measure("decode: a pop") { _ = try JSONBody.read(back) { element throws(BodyFault) in try ActionRequest(element, byOperator: false) } }
state = home
try measure("all: push and pop, a stack of one, JSON in and out", count: 2) {
  for bytes in [body, back] {
    for command in try JSONBody.read(bytes, { element throws(BodyFault) in try ActionRequest(element, byOperator: false) }).commands {
      let transition = try shop.reduce(&state, try shop.seal(command, for: state).action, stamp: stamp)
      _ = try JSONText.bytes(ActionBody(transition, revision: state.revision, seen: Seen(state, shop)))
    }
  }
}
var pushed = home
let push = try shop.reduce(&pushed, product, stamp: stamp)
try measure("encode: the answer to a push") { _ = try JSONText.bytes(ActionBody(push, revision: 2, seen: Seen(pushed, shop))) }
var popped = pushed
let pops = try shop.reduce(&popped, pop, stamp: stamp)
try measure("encode: the answer to a pop") { _ = try JSONText.bytes(ActionBody(pops, revision: 3, seen: Seen(popped, shop))) }
