import CairnCore
import CairnDefinition
import Testing

@Suite struct `Requests in the language` {
  private func load(_ text: String, head: String = "") throws -> LoadRequest {
    let text = """
      app: a
      language: 1
      root: { flow: main }
      allowHosts: [api.example, "api.example:8443", "127.0.0.1:9000", "[::1]:9000"]
      facts: { lang: string }
      \(head)
      screens: { home: }
      steps: { go: { id: optional integer }, done: { status: optional integer }, login: }
      flows:
        main:
          stack: home
          handle: { go: { load: { \(text) } }, done: [], login: [] }
      compat: { emits: any }
      """
    let definition = try DefinitionLoader.load(file: "a.yaml", text: text).definition
    guard case .load(let load, _, _)? = definition.flows["main"]?.handle["go"]?.branches.first?.operations.first,
      let request = load.request
    else { throw InvalidDefinition(diagnostics: []) }
    return request
  }

  private func complaint(_ text: String, head: String = "") -> [String] {
    do throws(InvalidDefinition) {
      _ = try withInvalid { () throws(InvalidDefinition) in
        do { _ = try load(text, head: head) } catch let error as InvalidDefinition { throw error } catch {}
      }
      return []
    } catch {
      return error.diagnostics.map(\.message)
    }
  }

  private func withInvalid(_ body: () throws(InvalidDefinition) -> Void) throws(InvalidDefinition) { try body() }

  @Test(arguments: [
    ("https://api.example/x", true), ("https://API.example:443/x", true), ("https://api.example:8443/x", true),
    ("https://api.example:9/x", false), ("http://127.0.0.1:9000/x", true), ("http://127.0.0.1/x", false), ("http://[::1]:9000/x", true),
  ]) func `a host in hosts is matched together with its port`(_ url: String, _ isTaken: Bool) {
    #expect(complaint("get: \"\(url)\"").isEmpty == isTaken)
  }

  @Test func `an unlisted port is reported, and an accepted definition stays readable`() {
    #expect(
      complaint("get: \"https://api.example:9/x\"") == ["the port `9` of `api.example` is not in `allowHosts`; add `api.example:9` to it"])
    #expect(
      complaint("get: \"http://127.0.0.1/x\"") == ["`127.0.0.1` with the port of `http` is not in `allowHosts`; add `127.0.0.1` to it"])
  }

  @Test func `all members of a request are parsed`() throws {
    let request = try load(
      """
      post: "https://api.example/pay", body: { id: $id, note: "x" }, headers: { X-Lang: $fact.lang, Authorization: { env: KEY } },
                timeout: 2m, retry: { count: 3, backoff: 500ms }
      """)
    #expect(request.method == .post && request.timeout == 120_000 && request.retry == Retry(count: 3, backoff: 500))
    #expect(request.body == .object(["id": .reference(.param("id")), "note": .literal("x")]))
    #expect(request.headers == ["X-Lang": .reference(.fact("lang"))] && request.variables == ["Authorization": "KEY"])
    let poll = try load("get: \"https://api.example/x\", every: 10s, until: { result: a.b, is: 1 }")
    #expect(poll.polling == Polling(every: 10_000, until: .result(["a", "b"], .equals(.literal(1)))))
  }

  @Test func `loadDefaults apply to loads without a value of their own`() throws {
    let head = "loadDefaults: { unauthorized: login, timeout: 30s, retry: 2, headers: { X-Lang: de, X-Key: { env: KEY } } }"
    let plain = try load("get: \"https://api.example/x\"", head: head)
    #expect(plain.timeout == 30_000 && plain.retry == Retry(count: 2) && plain.headers == ["X-Lang": .literal("de")])
    #expect(plain.variables == ["X-Key": "KEY"])
    let own = try load("get: \"https://api.example/x\", timeout: 5s, retry: 1, headers: { x-lang: en }", head: head)
    #expect(own.timeout == 5_000 && own.retry == Retry(count: 1) && own.headers == ["x-lang": .literal("en")])
    #expect(try load("post: \"https://api.example/x\"", head: head).retry == nil)
    #expect(try load("put: \"https://api.example/x\"", head: head).retry == Retry(count: 2))
    let poll = try load("get: \"https://api.example/x\", every: 5s", head: head)
    #expect(poll.timeout == nil && poll.retry == nil)
  }

  @Test(arguments: [
    ("get: \"https://api.example/\", body: 1", "`body` is allowed only with `post` and `put`; `get` sends none"),
    ("delete: \"https://api.example/\", body: 1", "`body` is allowed only with `post` and `put`; `delete` sends none"),
    ("value: 1, retry: 2", "`retry` is allowed only with `get`, `post`, `put` and `delete`; a load with `value` sends no request"),
    ("get: \"https://api.example/\", until: { result: a }", "`until` is allowed only with `every`, because it ends the polling"),
    (
      "post: \"https://api.example/\", every: 5s",
      "`every` is allowed only with `get`, because requests with other methods must not be repeated"
    ),
    ("get: \"https://api.example/\", every: 10ms", "`every` must be at least 1s"),
    (
      "get: \"https://api.example/\", every: 5s, retry: 1",
      "`retry` is not allowed with `every`, because polling repeats a failed request anyway; remove it"
    ),
    (
      "get: \"https://api.example/\", every: 5s, until: { visible: home }",
      "`until` is evaluated for each response, so it can read only `result` and facts"
    ),
    ("get: \"https://api.example/\", every: 5s, until: { fact: lang, is: de }", "`until` must test `result`"),
    (
      "get: \"https://api.example/\", timeout: 11m",
      "`timeout` must be at most 10m; for a result that takes longer, add `every`, so that the load polls"
    ),
    ("get: \"https://api.example/\", timeout: 5ms", "`timeout` must be at least 100ms"),
    ("get: \"https://api.example/\", retry: 11", "`retry` must be a number of retries from 1 to 10, not `11`"),
    (
      "get: \"https://api.example/\", headers: { Host: x }",
      "the header `Host` cannot be set, because the service sets it itself or never sends it"
    ),
    ("get: \"https://api.example/\", headers: { \"a b\": x }", "`a b` is not a valid header name"),
    ("get: \"https://api.example/\", headers: { X-A: 1, x-a: 2 }", "the header `x-a` is set twice"),
    ("get: \"https://api.example/\", headers: { X-A: \"a\\nb\" }", "the header `X-A` contains characters that are not allowed in a header"),
    ("get: \"https://api.example/\", headers: { X-A: [1] }", "a header must be a value or `{ env: NAME }`, not a list"),
    (
      "get: \"https://api.example/\", headers: { Authorization: Basic }",
      "a definition must not contain a secret; use `Authorization: { env: NAME }` or `bearer: accessToken`"
    ),
    (
      "get: \"https://api.example/\", bearer: accessToken, headers: { Authorization: { env: KEY } }",
      "`bearer` and `Authorization` set the same header; remove one"
    ),
    (
      "get: \"http://127.0.0.1:9000/\", headers: { X-A: { env: key-1 } }",
      "`env` must be the name of an environment variable, like `SHOP_URL`, not its value"
    ),
    (
      "get: \"https://api.example/\", then: { step: done, with: { status: $error.status } }",
      "`$error.status` can be used only in `else` of a load or message"
    ),
    (
      "get: \"https://api.example/\", else: { step: done, with: { status: $error.code } }",
      "`$error.code` is unknown; use `$error.status` or `$error.reason`"
    ),
    (
      "get: \"https://api.example/\", else: { step: done, with: { status: $error.reason } }",
      "`status` of the step `done` must be of type integer, not string"
    ),
  ]) func `mistakes in requests are reported`(_ text: String, _ message: String) {
    #expect(complaint(text) == [message])
  }

  @Test func `a step for a 401 in an app without such requests is reported`() throws {
    func warnings(_ more: String) throws -> [String] {
      let text = """
        app: a
        language: 1
        root: { flow: main }
        allowHosts: [api.example]
        loadDefaults: { unauthorized: go }
        screens: { home: }
        steps: { go: }
        flows: { main: { stack: home, handle: { go: { load: { get: "https://api.example/"\(more) } } } } }
        """
      return try DefinitionLoader.check(file: "a.yaml", text: text).warnings.map { "\($0.line):\($0.column): \($0.message)" }
    }
    #expect(try warnings("") == ["5:17: `unauthorized` is never sent: no load has `bearer: accessToken`"])
    #expect(try warnings(", bearer: accessToken") == [])
  }

  @Test func `a secret is not sent over plain http, also not in a header`() {
    let head = "loadDefaults: { headers: { X-Key: { env: KEY } } }"
    #expect(complaint("get: \"http://127.0.0.1:9000/\"", head: head).isEmpty)
    #expect(complaint("get: \"http://api.example/\"", head: head) == ["a secret must not be sent over plain HTTP; use `https`"])
    #expect(complaint("get: \"http://api.example/\"").isEmpty)
  }
}
