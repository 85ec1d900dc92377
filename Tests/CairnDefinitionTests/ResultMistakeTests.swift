import CairnCore
import CairnDefinition
import Testing

/// Errors about results, collapse, content of flows and facts of the client.
@Suite struct `Mistakes in results, collapse, content and client facts` {
  private static func text(_ main: String, facts: String = "{ isWide: { type: boolean, by: client } }", picker: String = "") -> String {
    """
    app: demo
    language: 1
    root: { flow: main }
    facts: \(facts)
    screens: { home: {}, list: {} }
    steps: { go: {}, picked: { id: string }, counted: { n: integer } }
    flows:
      picker: { stack: list, gives: { id: string, note: optional string }\(picker) }
      plain: { stack: list }
      main: \(main)
    """
  }

  private static func handling(_ operation: String) -> String { text("{ stack: home, handle: { go: \(operation) } }") }

  @Test(arguments: [
    (handling("{ push: { flow: picker, then: { step: picked, with: { id: $result.id } }, else: go } }"), []),
    (
      handling("{ push: { flow: picker, then: { step: picked, with: { id: $result.idd } } } }"),
      ["the result of `picker` has no `idd`; did you mean `id`?"]
    ),
    (
      handling("{ push: { flow: picker, then: { step: counted, with: { n: $result.id } } } }"),
      ["`n` of the step `counted` must be of type integer, not string"]
    ),
    (
      handling("{ push: { flow: picker, else: { step: picked, with: { id: $result.id } } } }"),
      ["`$result.id` can be used only in `then` of a load, of a message, or of a flow that finishes"]
    ),
    (
      handling("{ push: { flow: plain, then: go } }"),
      ["`then` is allowed only for a flow that finishes, but `plain` has no handler with `finish`"]
    ),
    (handling("{ push: list, else: go }"), ["`else` is allowed only for a flow that finishes, but a screen does not finish"]),
    (handling("{ push: { flow: picker }, then: go }"), ["put `then` into the map of `push`, next to `screen` or `flow`"]),
    (handling("{ finish: { id: x } }"), ["the result of `main` has no param `id`; it has none"]),
    (
      text("{ stack: home }", picker: ", handle: { go: { finish: { id: 7 } } }"),
      ["`id` of the result of `picker` must be of type string, not integer"]
    ),
    (
      text("{ stack: home }", picker: ", handle: { go: { finish: { note: x } } }"),
      ["the result of `picker` requires `id: string` in `finish`"]
    ),
    (text("{ stack: home, gives: 3 }"), ["`gives` of `main` must be a map, like `{ id: integer }`, not an integer"]),
    (
      text("{ stack: home, collapse: { fact: isWide } }"),
      ["`collapse` is allowed only in a flow with `split`, but `main` has `stack`"]
    ),
    (
      text("{ split: [], collapse: { fact: isWide } }"),
      ["`collapse` needs `split: { master: [..], detail: .. }`, whose `detail` is shown while no other one is open"]
    ),
    (
      text("{ split: { master: [home], detail: list }, collapse: { flow: main } }"),
      ["`collapse` must test at least one fact, because it is evaluated when such a fact is written"]
    ),
    (handling("{ content: { a: 1 }, of: picker }"), []),
    (handling("{ content: { a: $content(picker).b }, of: pickr }"), ["there is no screen or flow `pickr`; did you mean `picker`?"]),
    (handling("[{ when: { content: a, of: picker, is: 1 }, do: pop }]"), []),
    (handling("[{ when: { content: status, of: picker, is: loaded }, do: pop }]"), []),
    (text("{ stack: home }", facts: "{ isWide: { type: boolean, by: clients } }"), ["`by` of a fact must be `client`, not `clients`"]),
    (
      text("{ stack: home }", facts: "{ isWide: { type: boolean, by: client, env: WIDE } }"),
      ["a fact with `env` cannot have `by: client`, because its value comes from the environment"]
    ),
  ]) func `each mistake is reported`(text: String, said: [String]) {
    #expect(complaints(text).map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" } == said)
  }

  @Test func `a result that is never given or never used causes a warning`() {
    let text = { (give: String, push: String) in
      """
      app: demo
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, list: { emits: [done] } }
      steps: { go: {}, done: {}, picked: { id: string } }
      flows:
        main: { stack: home, handle: { go: { push: { flow: picker\(push) } }, picked: popToRoot } }
        picker: { stack: list, gives: { id: string }, handle: { done: \(give) } }
      """
    }
    let then = ", then: { step: picked, with: { id: $result.id } }"
    #expect(doubts(text("{ finish: { id: x } }", then)) == [])
    #expect(
      doubts(text("pop", then)) == [
        "8:3: warning: the flow `picker` declares `gives`, but no handler runs `finish`; add `finish`, or remove `gives`"
      ])
    let unheard = doubts(text("{ finish: { id: x } }", ""))
    #expect(
      unheard.contains("8:3: warning: the result of the flow `picker` is not used: add `then` where the flow is created, or remove `gives`")
    )
  }
}
