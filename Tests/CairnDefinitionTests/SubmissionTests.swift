import CairnCore
import CairnDefinition
import Testing

@Suite struct `Messages in the language` {
  private func text(_ submit: String, handle: String = "done: []") -> String {
    """
    app: a
    language: 1
    root: { flow: main }
    allowHosts: [api.example]
    screens: { home: { emits: { go: { id: integer, pin: { type: string, secret: true } } } } }
    steps: { done: { status: optional integer } }
    flows:
      main: { stack: inner, handle: { \(handle) } }
      inner:
        stack: home
        handle: { go: { submit: { \(submit) } }, done: [] }
    """
  }

  private func complaints(_ submit: String, handle: String = "done: []") -> [String] {
    do throws(InvalidDefinition) {
      _ = try DefinitionLoader.load(file: "a.yaml", text: text(submit, handle: handle))
      return []
    } catch {
      return error.diagnostics.map(\.message)
    }
  }

  @Test func `all members are read`() throws {
    let submit =
      #"post: "https://api.example/pay", key: "order {id}", body: { id: $id, pin: $pin }, headers: { X-A: b }, bearer: accessToken, "#
      + "timeout: 2m, retry: { count: 3, backoff: 500ms }, then: done, else: { step: done, with: { status: $error.status } }"
    let definition = try DefinitionLoader.load(file: "a.yaml", text: text(submit)).definition
    let submission = try #require(definition.submissions.first)
    #expect(submission.request.method == .post && submission.request.bearer && submission.request.timeout == 120_000)
    #expect(submission.request.retry == Retry(count: 3, backoff: 500))
    #expect(submission.templates.map(\.step) == ["done", "done"])
    #expect(submission.expressions.count == 4)
  }

  @Test(arguments: [
    (#"post: "https://api.example/pay""#, ["`submit` needs `key`"]),
    ("key: $id", ["`submit` needs `post`"]),
    (
      #"post: "https://api.example/pay", key: { id: $id }"#,
      ["`key` must be a text or an integer that identifies the message, such as `$orderId`, not a map"]
    ),
    (
      #"post: "https://api.example/pay", key: $pin"#,
      [
        "`$pin` is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message"
      ]
    ),
    (
      #"post: "https://api.example/pay", key: $id, then: { step: done, to: root }"#,
      [
        "`then` of `submit` cannot have `to`: its step is sent to the node that called or, if that has been removed, to the flows around it"
      ]
    ),
    (
      #"post: "https://other.example/pay", key: $id"#,
      ["the host `other.example` is not in `allowHosts`; add it to `allowHosts`"]
    ),
  ]) func `mistakes are reported`(_ submit: String, _ messages: [String]) {
    let found = complaints(submit)
    #expect(found.count == messages.count)
    for (message, wanted) in zip(found, messages) { #expect(message == wanted) }
  }

  @Test func `the root flow must handle the steps of a message`() {
    let submit = #"key: $id, then: done, else: done, post: "https://api.example/pay""#
    #expect(complaints(submit) == [])
    #expect(
      complaints(submit, handle: "").map { $0.prefix(84) }
        == [
          "`then` of `submit` sends `done`, but the root flow `main` has no handler for it; the",
          "`else` of `submit` sends `done`, but the root flow `main` has no handler for it; the",
        ])
  }
}
