import CairnCore
import CairnTesting
import Testing

private let shelf = """
  app: shelf
  language: 1
  compat: { emits: any }
  root: { flow: main }
  sets: { early: [1, 2, 3] }
  facts: { rating: { type: optional number }, level: { type: integer, default: 5 } }
  screens: { home: { params: { shop: optional string } }, item: { params: { id: integer } }, hint: {}, side: {} }
  steps: { see: { id: integer }, go: {}, more: {}, same: { id: integer }, mark: { value: any }, check: {}, count: {}, tell: { id: integer } }
  flows:
    main:
      tabs: [ { flow: first }, { flow: second } ]
      handle:
        mark:
          - { when: { param: value, in: early }, do: { write: { rating: $value } } }
          - { when: { param: value, over: 2.5 }, do: { write: { level: 9 } } }
          - { when: { param: value, under: $fact.level }, do: { write: { level: 0 } } }
        check:
          - { when: { fact: rating, over: 1 }, do: { select: 0 } }
          - { when: { all: [ { screen: item, with: { id: 2 } }, { not: { screen: [hint, side], with: { } } } ] }, do: { select: 1 } }
        count: { content: { n: { add: 2000 } }, of: home }
    first:
      stack: { screen: home, with: { shop: corner }, content: { n: 0 } }
      handle:
        see: { push: item, with: { id: $id }, removed: { step: tell, with: { id: $screen.id } } }
        same:
          - { when: { param: id, is: $screen.id }, do: { push: hint } }
          - { do: { push: item, with: { id: $screen.id } } }
        more:
          - { when: { content: n, over: 3s }, do: { push: side } }
          - { when: { content: n, in: [2000] }, do: { push: hint } }
        tell: { push: item, with: { id: $id } }
    second: { stack: side, handle: { go: { push: home, with: { shop: $screen.shop } } } }
  """

@Suite struct `Conditions on lists, numbers and screens` {
  @Test(arguments: [
    (Value.integer(2), ["level": Value.integer(5), "rating": .integer(2)]),
    (.number(2.75), ["level": .integer(9)]), (.number(0.5), ["level": .integer(0)]), (.integer(7), ["level": .integer(9)]),
    (.string("2"), ["level": .integer(5)]), (.bool(true), ["level": .integer(5)]),
  ]) func `a value can be compared with a list, a minimum and a maximum`(value: Value, facts: [String: Value]) throws {
    var drive = try Drive(shelf)
    drive.step("mark", ["value": value])
    #expect(drive.state.facts == facts)
    #expect(drive.broken == [])
  }

  @Test func `an absent value is in no list, and neither above nor below a number`() throws {
    var drive = try Drive(shelf)
    drive.step("check")
    #expect(drive.outcome == "unchanged (no-branch)")
    drive.step("more")
    #expect(drive.outcome == "unchanged (no-branch)")
  }

  @Test func `content can be compared, with durations as milliseconds`() throws {
    var drive = try Drive(shelf)
    drive.step("count")
    drive.step("more")
    #expect(drive.sketch.contains("home(shop: corner)~{n:2000}, hint]"))
    drive.run(.pop(count: 1, node: nil))
    drive.step("count")
    drive.step("more")
    #expect(drive.sketch.contains("home(shop: corner)~{n:4000}, side]"))
  }

  @Test func `a condition on a live screen holds whether the screen is visible or not`() throws {
    var drive = try Drive(shelf)
    drive.step("see", ["id": 2])
    drive.step("check")
    // The screen `side` is in the other tab.
    #expect(drive.outcome == "unchanged (no-branch)")
    var other = try Drive(shelf.replacing("stack: side", with: "stack: home"))
    other.step("check")
    #expect(other.outcome == "unchanged (no-branch)")
    other.step("see", ["id": 2])
    other.step("see", ["id": 3])
    other.step("check")
    #expect(other.outcome == "performed")
    #expect(other.state.visibleLeaf?.name == "home")
  }

  @Test func `the params of the sending or leaving screen can be read`() throws {
    var drive = try Drive(shelf)
    drive.step("see", ["id": 4])
    drive.step("same", ["id": 4])
    #expect(drive.routes == ["home", "item", "hint"])
    drive.run(.pop(count: 1, node: nil))
    drive.step("same", ["id": 5])
    #expect(drive.sketch == "main<*first[home(shop: corner)~{n:0}, item(id: 4), item(id: 4)], second[side]>")
    drive.run(.pop(count: 2, node: nil))
    #expect(drive.steps == ["first tell"])
    #expect(drive.sketch == "main<*first[home(shop: corner)~{n:0}, item(id: 4)], second[side]>")
    drive.step("same", ["id": 1], from: drive.id("first"))
    #expect(drive.outcome == "value-mismatch")
    #expect(drive.broken == [])
  }

  @Test func `a param that the screen does not declare is absent`() throws {
    var drive = try Drive(shelf)
    drive.run(.select(.tab(1), node: nil))
    drive.step("go")
    #expect(drive.sketch == "main<first[home(shop: corner)~{n:0}], *second[side, home]>")
    drive.step("go")
    #expect(drive.broken == [])
  }
}
