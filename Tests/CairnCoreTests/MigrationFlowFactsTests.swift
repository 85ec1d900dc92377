import CairnCore
import CairnTesting
import Testing

/// Sessions with an open flow that move to a definition in which the flow has other facts or params.
@Suite struct `Migration of the facts and params of flows` {
  private static func app(_ members: String) -> String {
    """
    app: bank
    language: 1
    compat: { emits: any }
    root: main
    facts: { name: { type: string, default: Ada, by: client } }
    screens: { home: {}, amount: {} }
    steps: { open: {}, enter: { amount: any } }
    flows:
      main: { stack: home, handle: { open: { push: { flow: transfer\(members.contains("params") ? ", with: { account: x }" : "") } } } }
      transfer: { stack: amount, \(members), handle: { enter: { write: { amount: $amount } } } }
    """
  }

  private func migrated(_ members: String, _ fate: Migration.NodeFate? = nil, from old: String = "facts: { amount: number }") throws
    -> MigrationDrive
  {
    var drive = try MigrationDrive(Self.app(old))
    drive.step("open")
    drive.step("enter", ["amount": 50])
    try drive.migrate(to: Self.app(members), Migration(flows: fate.map { ["transfer": $0] } ?? [:]))
    #expect(drive.broken == [])
    return drive
  }

  @Test func `a fact keeps its value, a new one has its default, and one that is gone is dropped`() throws {
    #expect(
      try migrated("facts: { amount: any, tries: { type: integer, default: 3 } }").sketch
        == "main[home, transfer[amount]:{amount:50,tries:3}]")
    #expect(try migrated("facts: { amount: number, note: string }").sketch == "main[home, transfer[amount]:{amount:50}]")
  }

  @Test func `a value is computed from the old facts of the flow and of the session`() throws {
    let fate = Migration.NodeFate.keep(
      as: "transfer", params: [:],
      facts: ["sum": .reference(.flowFact("amount")), "who": .reference(.fact("name")), "amount": .literal(.null)])
    #expect(
      try migrated("facts: { amount: number, sum: number, who: string }", fate).sketch == "main[home, transfer[amount]:{sum:50,who:Ada}]")
  }

  @Test func `a value of a wrong type is an obstacle`() throws {
    let drive = try migrated("facts: { amount: string }")
    #expect(drive.reason == "the fact amount of the flow transfer (n3) must be of type string, not integer")
    #expect(drive.sketch == "main[home, transfer[amount]:{amount:50}]")
  }

  @Test func `a param of a flow keeps its value, and a new one needs one`() throws {
    let old = "facts: { amount: number }, params: { account: string }"
    #expect(try migrated(old, from: old).sketch == "main[home, transfer(account: x)[amount]:{amount:50}]")
    let new = "facts: { amount: number }, params: { account: string, kind: string }"
    #expect(
      try migrated(old.replacing(", params: { account: string }", with: ""), from: old).sketch == "main[home, transfer[amount]:{amount:50}]"
    )
    var drive = try MigrationDrive(Self.app(old))
    drive.step("open")
    try drive.migrate(to: Self.app(new.replacing("kind: string", with: "kind: { type: string, default: own }")))
    #expect(drive.sketch == "main[home, transfer(account: x, kind: own)[amount]]")
    drive = try MigrationDrive(Self.app(old))
    drive.step("open")
    let fate = Migration.NodeFate.keep(as: "transfer", params: ["kind": .reference(.param("account"))])
    let later = Self.app(new).replacing("with: { account: x }", with: "with: { account: x, kind: y }")
    try drive.migrate(to: later)
    #expect(drive.reason == "the param kind of the flow transfer (n3) is missing; it must be of type string")
    try drive.migrate(to: later, Migration(flows: ["transfer": fate]))
    #expect(drive.sketch == "main[home, transfer(account: x, kind: x)[amount]]")
  }
}
