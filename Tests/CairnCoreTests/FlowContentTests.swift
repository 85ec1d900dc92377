import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// The content of a flow, such as the data of a wizard.
@Suite struct `Content of a flow` {
  private static let app = """
    app: wizard
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, name: {}, amount: {}, done: { params: { text: string, sum: integer } }, both: {} }
    steps: { begin: {}, named: { text: string }, add: { by: integer }, next: {}, finish: {}, nowhere: {}, ready: {} }
    flows:
      main:
        stack: home
        handle:
          begin: { present: { flow: wizard, content: { sum: 0 } } }
          finish: [dismiss, { push: done, with: { text: $content(wizard).text, sum: $content(wizard).sum } }]
          nowhere: { content: { sum: 1 }, of: wizard }
      wizard:
        stack: name
        handle:
          named: [{ content: { text: $text }, of: wizard }, { push: { flow: page } }]
          ready:
            - { when: { content: sum, of: wizard, is: absent }, do: [] }
            - { when: { content: status, of: wizard, is: loaded }, do: { push: done, with: { text: $content(wizard).text, sum: $content(wizard).sum } } }
      page:
        screen: amount
        handle:
          add: { content: { sum: { add: $by } }, of: wizard }
          next:
            - { when: { content: sum, of: wizard, is: 5 }, do: { send: ready } }
      both: { stack: both, handle: {} }
    """

  @Test func `every page can write and read the content of its flow, and the tree contains it`() throws {
    var drive = try Drive(Self.app)
    drive.step("begin")
    #expect(drive.sketch == "main[home] ^ wizard[name]~{sum:0}")
    drive.step("named", ["text": "Ada"])
    drive.step("next")
    #expect(drive.outcome == "unchanged (no-branch)")
    drive.step("add", ["by": 5])
    #expect(drive.sketch == "main[home] ^ wizard[name, amount]~{sum:5,text:Ada}")
    #expect(drive.last.changes.map(\.name) == ["update"])
    drive.step("next")
    #expect(drive.sketch == "main[home] ^ wizard[name, amount, done(sum: 5, text: Ada)]~{sum:5,text:Ada}")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `without a live flow its content cannot be written`() throws {
    var drive = try Drive(Self.app)
    drive.step("nowhere")
    #expect(drive.refusal?.code == .screenNotFound)
  }

  @Test func `of two flows with one name the one around the sender is used`() throws {
    var drive = try Drive(
      """
      app: twice
      language: 1
      compat: { emits: any, words: [listen] }
      root: { flow: bar }
      screens: { page: {} }
      steps: { count: {} }
      flows:
        bar: { tabs: [{ flow: box, content: { n: 0 } }, { flow: box, content: { n: 10 } }] }
        box:
          stack: { screen: page, listen: { hidden: true } }
          handle: { count: { content: { n: { add: 1 } }, of: box } }
      """)
    let second = try #require(drive.tree.children?[1].children?.first?.id)
    drive.step("count", from: second)
    #expect(drive.sketch == "bar<*box[page]~{n:0}, box[page]~{n:11}>")
    drive.step("count")
    #expect(drive.sketch == "bar<*box[page]~{n:1}, box[page]~{n:11}>")
  }

  @Test func `a screen with the same name takes precedence`() throws {
    var drive = try Drive(
      """
      app: same
      language: 1
      compat: { emits: any }
      root: { flow: both }
      screens: { both: {} }
      steps: { go: {} }
      flows: { both: { stack: both, handle: { go: { content: { n: 1 }, of: both } } } }
      """)
    drive.step("go")
    #expect(drive.sketch == "both[both~{n:1}]")
  }
}
