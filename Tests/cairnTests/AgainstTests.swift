import CairnCore
import CairnTesting
import Foundation
import Testing

/// Scenario files have the same results in the process and with a running service.
@Suite(.tags(.timing), .ownThreads) struct `Scenarios over HTTP` {
  @Test func `every scenario of a shipped app, and every acceptance scenario, passes in the process and with a service`() async throws {
    let acceptance = try FileManager.default.contentsOfDirectory(atPath: Drive.acceptance.path)
    let texts = try acceptance.map { ($0, try String(contentsOf: Drive.acceptance.appending(path: $0), encoding: .utf8)) }
    let service = try await Service(apps: Dictionary(uniqueKeysWithValues: texts))
    let apps = service.folder.appending(path: "apps")
    let files = try FileManager.default.contentsOfDirectory(atPath: apps.path).filter { $0.hasSuffix(".scenarios.yaml") }.sorted()
    #expect(files.count >= 11)
    for file in files.map({ "apps/\($0)" }) {
      let inProcess = try await service.run("test", file)
      let overHTTP = try await service.run("test", file, "--against", "http://127.0.0.1:\(service.port)", "--key", Service.operatorKey)
      #expect(inProcess.code == 0, "\(inProcess.output)")
      #expect(overHTTP.code == 0, "\(overHTTP.output)\(overHTTP.error)")
      #expect(overHTTP.output == inProcess.output)
    }
    // No session remains on the service.
    let left = try await service.send("GET", "/v1/sessions", secret: Service.operatorKey)
    #expect(left["sessions"] == .array([]))
  }

  @Test func `an unmet expectation is reported with its line, also over HTTP`() async throws {
    let service = try await Service()
    try """
    app: shop.yaml
    scenarios:
      - name: nobody is in
        then: &wrong { visible: nowhere }
      - name: nobody is there either
        then: *wrong
      - name: posted whole, or not at all
        given: { accessToken: t }
        when: [[{ step: productIsPicked, params: { productId: 1 } }, dismiss, { step: productIsPicked, params: {} }]]
        then: { refused: invalid, stack: [home] }
    """.write(to: service.folder.appending(path: "apps/wrong.scenarios.yaml"), atomically: true, encoding: .utf8)
    for arguments in [[], ["--against", "http://127.0.0.1:\(service.port)/", "--key", Service.operatorKey]] {
      let finished = try await service.run(["test", "apps/wrong.scenarios.yaml"] + arguments)
      #expect(finished.code == 1)
      #expect(finished.output.contains("apps/wrong.scenarios.yaml:4: nobody is in\n"), "\(finished.output)")
      #expect(finished.output.contains("apps/wrong.scenarios.yaml:6: nobody is there either\n"), "\(finished.output)")
      #expect(finished.output.hasSuffix("1 passed, 2 failed\n"), "\(finished.output)")
    }
  }

  @Test func `names and login states of nodes on levels are the same over HTTP as in the process`() async throws {
    let app = """
      app: raised
      language: 1
      compat: { emits: any }
      root: { flow: main }
      oauth:
        authorizationEndpoint: { env: RAISED_BASE_URL, default: "https://login.example", path: /authorize }
        tokenEndpoint: { env: RAISED_BASE_URL, default: "https://login.example", path: /token }
        clientId: { env: RAISED_CLIENT_ID, default: id }
        clientSecret: { env: RAISED_CLIENT_SECRET }
        redirectUrl: { env: RAISED_REDIRECT_URL, default: "https://app.example/cb" }
      screens: { home: {}, notice: {}, page: {}, web: { params: { url: string } } }
      steps: { warn: , pick: , login: }
      flows:
        main:
          stack: home
          handle:
            warn: { present: notice, level: 3 }
            pick: { push: page }
            login: { present: web, with: { url: $oauth.authorizeUrl }, level: 4 }
      """
    let scenarios = """
      app: raised.yaml
      scenarios:
        - name: a step of a screen on a level
          when: [warn, { step: pick, from: notice }]
          then: { tree: "main[home, page] ^3 notice" }
        - name: the redirect of a login page on a level
          when: [login, { open: "https://app.example/cb?code=c&state={state}" }]
          then: { outcome: pending, login: requesting }
      """
    let service = try await Service(apps: ["raised.yaml": app, "raised.scenarios.yaml": scenarios])
    for arguments in [[], ["--against", "http://127.0.0.1:\(service.port)", "--key", Service.operatorKey]] {
      let finished = try await service.run(["test", "apps/raised.scenarios.yaml"] + arguments)
      #expect(finished.code == 0, "\(finished.output)\(finished.error)")
    }
  }

  @Test func `an unreachable service is reported`() async throws {
    let service = try await Service()
    let file = "apps/shop.scenarios.yaml"
    let url = "http://127.0.0.1:\(service.port)"
    #expect(try await service.run("test", file, "--against", url).code != 0)
    let wrong = try await service.run("test", file, "--against", url, "--key", "another-key-of-nobody")
    #expect(wrong.code == 1 && wrong.output.contains("check that the key is an operator's"), "\(wrong.output)")
    let nobody = try await service.run("test", file, "--against", "http://127.0.0.1:1", "--key", "k")
    #expect(nobody.code == 1 && nobody.output.contains("could not connect to the service"), "\(nobody.output)")
    let app = service.folder.appending(path: "apps/shop.yaml")
    try (String(contentsOf: app, encoding: .utf8) + "description: changed\n").write(to: app, atomically: true, encoding: .utf8)
    let other = try await service.run("test", file, "--against", url, "--key", Service.operatorKey)
    #expect(other.code == 1 && other.output.contains("a different definition of shop"), "\(other.output)")
  }
}
