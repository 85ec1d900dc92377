import CairnCore
import CairnTesting
import Testing

@Suite struct `Numbers of a stored state` {
  @Test(arguments: [
    #"{"r":-1}"#, #"{"r":9223372036854775807}"#, #"{"N":0}"#, #"{"N":8589934592}"#, #"{"E":-1}"#, #"{"E":9007199254740992}"#,
    #"{"t":9223372036854775807}"#, #"{"u":-1}"#, #"{"k":9223372036854775807}"#, #"{"m":-9223372036854775808}"#,
    #"{"m":253402300800000}"#, #"{"a":-1}"#, #"{"o":-2147483648}"#, #"{"i":{"c":-1}}"#, #"{"N":9,"n":[{"i":-5}]}"#,
    #"{"N":9,"n":[{"i":0}]}"#, #"{"N":9,"n":[{"i":2147483648}]}"#, #"{"N":9,"n":[{"i":1,"p":-2147483648}]}"#, #"{"n":[{"i":1}]}"#,
    #"{"N":5,"n":[{"i":5}]}"#, #"{"E":9,"e":[{"id":-1,"start":0,"work":{"exchange":{}}}]}"#,
    #"{"E":9,"e":[{"id":1,"start":-1,"work":{"exchange":{}}}]}"#, #"{"E":2,"e":[{"id":2,"start":0,"work":{"exchange":{}}}]}"#,
    #"{"E":2,"e":[{"id":1,"start":0,"work":{"timer":{"step":{"step":"s"},"delay":1,"period":0,"ticks":0}}}]}"#,
    #"{"E":2,"e":[{"id":1,"start":0,"work":{"timer":{"step":{"step":"s"},"delay":1,"ticks":9223372036854775807}}}]}"#,
    #"{"k":3,"h":[{"id":"l3","url":"u","until":1}]}"#, #"{"k":3,"h":[{"id":"l1","url":"u","until":-1}]}"#,
  ]) func `that is out of bounds, or is given twice, is refused`(difference: String) {
    #expect(throws: UnreadableFormat.self) { try StateFormat.state(Array(difference.utf8), version: StateFormat.version) }
  }

  @Test func `that is the highest is read`() throws {
    let difference =
      #"{"r":9007199254740991,"N":2147483647,"E":9007199254740991,"t":9007199254740991,"k":9007199254740991,"m":253402300799999}"#
    let state = try StateFormat.state(Array(difference.utf8), version: StateFormat.version)
    #expect(state.nextNode == 2_147_483_647 && state.manualTime == State.latestTime && state.tokenWrites == State.highestCount)
  }

  @Test func `is among the faults of a state that no file was read for`() throws {
    let whole = State()
    func faults(_ change: (inout State) -> Void) -> Int {
      var state = whole
      change(&state)
      return state.faults.count
    }
    let own = faults { _ in }
    let changes: [(inout State) -> Void] = [
      { $0.revision = -1 }, { $0.nextEffect = .max }, { $0.nextEffect = 0 }, { $0.nextLink = .max }, { $0.tokenWrites = .max },
      { $0.manualTime = -1 }, { $0.leftForeground = .max }, { $0.leftForegroundByClient = .max }, { $0.nextNode = 1 << 40 },
      { $0.clients = [Sender(client: "c", number: -1)] },
    ]
    for (place, change) in changes.enumerated() { #expect(faults(change) > own, "\(place)") }
  }

  @Test(
    .timeLimit(TestTimeout.limit),
    arguments: [
      #"[{"i":1,"c":[1]}]"#, #"[{"i":1,"c":[2,2]},{"i":2,"p":1}]"#, #"[{"i":1,"c":[2]},{"i":2,"p":1,"c":[1,3]},{"i":3,"p":2,"c":[2]}]"#,
    ]) func `ids that make a node its own child, or a child twice, are a fault and end no process`(nodes: String)
  {
    let state = try? StateFormat.state(Array(#"{"r":1,"N":9,"n":\#(nodes)}"#.utf8), version: StateFormat.version)
    if let state { #expect(state.faults != [] && state.reachable.count == Set(state.reachable).count) }
  }

  @Test func `jumps cost no memory for the nodes of an action`() {
    #expect(CreatedNode.nodes(from: 1, to: .max).count == CreatedNode.highestPlace + 1)
    #expect(CreatedNode.nodes(from: .max, to: 1).isEmpty && CreatedNode.nodes(from: 3, to: 5) == [NodeID(3), NodeID(4)])
  }
}
