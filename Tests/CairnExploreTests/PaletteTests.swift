import CairnCore
import CairnDefinition
import Testing

@testable import CairnExplore

@Suite struct `Values for an exploration` {
  private func palette(_ handle: String, claims: [Claim] = []) throws -> Palette {
    let text = """
      app: trial
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: }
      steps: { pick: { n: integer, kind: string } }
      flows: { main: { stack: home, handle: { pick: \(handle) } } }
      """
    return Palette(try DefinitionLoader.load(file: "trial.yaml", text: text).definition, claims)
  }

  private func when(_ condition: String) -> String { "[{ when: { \(condition) }, do: [] }, { do: [] }]" }

  @Test func `values that represent all others do not occur in the definition`() throws {
    #expect(try palette("[]").fresh == [701, 702, "one", "two"])
    #expect(try palette(when("param: kind, is: one")).strings == ["one-more", "two"])
    #expect(try palette(when("param: n, is: 699")).numbers == [701, 702])
    #expect(try palette(when("param: n, is: 1000")).numbers == [1_100, 1_101])
  }

  @Test func `a type is tried with the values of conditions, with two others, and absent if it is optional`() throws {
    let palette = try palette(when("param: kind, is: sale"))
    #expect(palette.values(of: ParameterDefinition(.string), named: "kind") == ["sale", "one", "two"])
    #expect(palette.values(of: ParameterDefinition(.string), named: "other") == ["one", "two"])
    #expect(palette.values(of: ParameterDefinition(.boolean), named: "x") == [true, false])
    #expect(palette.values(of: ParameterDefinition(.integer), named: "n") == [701, 702])
    var optional = ParameterDefinition(.string)
    optional.isOptional = true
    #expect(palette.values(of: optional, named: "kind") == ["sale", "one", "two", nil])
    var limited = ParameterDefinition(.string)
    limited.allowed = ["a", "b", "c", "sale"]
    #expect(palette.values(of: limited, named: "kind") == ["sale", "a", "b"])
  }

  @Test func `a type with bounds is tried with the values at its bounds`() throws {
    let palette = try palette(when("param: n, over: 5"))
    var type = ParameterDefinition(.integer)
    type.bounds = ValueBounds(min: 1, max: 9)
    #expect(palette.values(of: type, named: "n") == [4, 5, 6, 1, 9])
    type.bounds = ValueBounds(min: 1)
    #expect(palette.values(of: type, named: "m") == [701, 702, 1, 2])
    var text = ParameterDefinition(.string)
    text.bounds = ValueBounds(minLength: 4)
    #expect(palette.values(of: text, named: "kind") == ["onex", "twox"])
  }

  @Test func `a list is tried with its least and its greatest number of items`() throws {
    let palette = try palette(when("param: n, is: 5"))
    var type = ParameterDefinition(.list)
    #expect(palette.values(of: type, named: "rows") == [[], ["one"], ["one", "two"]])
    type.bounds = ValueBounds(item: ParameterDefinition(.integer))
    #expect(palette.values(of: type, named: "rows") == [[], [701], [701, 702]])
    type.bounds = ValueBounds(minLength: 1, maxLength: 4, item: ParameterDefinition(.boolean))
    #expect(palette.values(of: type, named: "rows") == [[true], [true, false], [true, false, true], [true, false, true, false]])
    type.isOptional = true
    type.bounds = ValueBounds(maxLength: 1, item: ParameterDefinition(.string))
    #expect(palette.values(of: type, named: "rows") == [[], ["one"], nil])
  }

  @Test func `a number with a minimum is tried with its neighbours`() throws {
    let palette = try palette(when("param: n, over: 10"))
    let values = palette.values(of: ParameterDefinition(.integer), named: "n")
    for number: Value in [9, 10, 11, 701, 702] { #expect(values.contains(number), "\(number)") }
    #expect(values.count == 5)
    #expect(try self.palette(when("param: n, is: 10")).values(of: ParameterDefinition(.integer), named: "n") == [10, 701, 702])
  }

  @Test func `the values of claims are tried too`() throws {
    let claim = Claim(name: "c", .always(when: nil, then: .param("kind", .equals(.literal("claimed")))))
    #expect(try palette("[]", claims: [claim]).values(of: ParameterDefinition(.string), named: "kind") == ["claimed", "one", "two"])
  }

  @Test func `a member is tried with its compared values, one other value, and absent`() throws {
    let palette = try palette(when("param: n, over: 10"))
    #expect(palette.values(likeThose: [10]) == [10, 11, 9, 701, nil])
    #expect(palette.values(likeThose: ["a"]) == ["a", "one", nil])
    #expect(palette.values(likeThose: [true]) == [true, false, nil])
    #expect(palette.values(likeThose: []) == ["one", nil])
  }

  @Test func `of too many combinations each value is tried, and as few values as possible`() throws {
    let picks = Picks(["a": [1, 2, nil], "b": ["x", nil], "c": ["y"]], most: 5)
    let expected: Set<[String: Value]> = [
      ["a": 1, "b": "x", "c": "y"], ["a": 2, "b": "x", "c": "y"], ["b": "x", "c": "y"], ["a": 1, "c": "y"], ["c": "y"], ["a": 2, "c": "y"],
    ]
    #expect(!picks.isWhole && Set(picks.all) == expected && picks.all.count == expected.count)
    // Nothing reads the name b, so not every value of a is combined with every one of b.
    let some = Picks(["a": [1, 2, 3], "b": ["x", "z"]], reading: { $0 == "a" }, most: 4)
    #expect(some.isWhole && some.all == [["a": 1, "b": "x"], ["a": 2, "b": "x"], ["a": 3, "b": "x"], ["a": 1, "b": "z"]])
  }

  @Test func `few combinations are tried completely, and of many each value with the first ones of the others`() throws {
    let palette = try palette("[]")
    let choices: [String: [Value?]] = ["a": [1, 2, 3], "b": ["x", nil]]
    let whole = palette.picks(choices, most: 6).all
    #expect(whole.count == 6 && Set(whole).count == 6 && whole.contains(["a": 3]) && whole.contains(["a": 1, "b": "x"]))
    let cut = palette.picks(choices, most: 5)
    #expect(cut.isWhole && cut.all == [["a": 1, "b": "x"], ["a": 2, "b": "x"], ["a": 3, "b": "x"], ["a": 1]])
    #expect(palette.picks([:], most: 5).all == [[:]])
  }
}

@Suite struct `Moves of an exploration` {
  @Test(
    arguments: [
      (.action(.step(Step("s"), from: nil)), .user), (.action(.back), .user), (.action(.cancel(link: LinkID(1))), .user),
      (.action(.logout), .login), (.token, .login), (.redirect("u"), .login), (.open("u", link: nil), .outside),
      (.action(.notification(url: nil, category: nil, tap: true, appState: .killed)), .outside), (.action(.appState(.background)), .device),
      (.action(.facts([:])), .device), (.advance(1, times: 1), .nature), (.end(1, .loaded(.null)), .nature),
    ] as [(Move.Deed, Move.Maker)]) func `each move has a cause, such as the user or time`(deed: Move.Deed, maker: Move.Maker)
  {
    #expect(Move(deed: deed, words: "w").maker == maker)
  }

  @Test func `several actions are one line as a list`() {
    var move = Move(deed: .advance(1, times: 2), words: "{ advance: 1ms }")
    #expect(move.inLine == "{ advance: 1ms }")
    move.words.append("back")
    #expect(move.inLine == "[{ advance: 1ms }, back]")
  }

  @Test func `the text of a start contains only given values`() {
    #expect(Start().words == nil)
    #expect(
      Start(accessToken: "t", facts: ["f": 1], environment: ["A": "x y"]).words
        == "{ accessToken: t, facts: { f: 1 }, environment: { A: \"x y\" } }")
    let creation = Start(accessToken: "t", facts: ["f": 1]).creation
    #expect(creation.hasToken && creation.facts == ["f": 1] && creation.manualClock && creation.manualRequests)
  }
}
