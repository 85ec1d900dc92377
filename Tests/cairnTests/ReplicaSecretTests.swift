import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Secrets of a service whose clients predict` {
  private static let app = """
    app: vault
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts:
      key: { type: string, env: VAULT_KEY }
      plan: { type: string, env: VAULT_PLAN }
    screens: { door: , room: { params: { pin: { type: string, secret: true } } } }
    steps: { enter: { pin: { type: string, secret: true } }, look: null }
    flows:
      main:
        stack: door
        handle:
          enter: { push: room, with: { pin: $pin } }
          look: { when: { fact: plan, is: gold }, do: { push: door } }
    """

  @Test func `no response to an engine and no line of the log contains what is withheld`() async throws {
    let service = try await Service(
      environment: ["CAIRN_PREDICT": "vault", "CAIRN_LOG_LEVEL": "trace", "VAULT_KEY": "canary-environment"], apps: ["vault.yaml": Self.app]
    )
    let session = try await service.session("vault", ["accessToken": "canary-token"])
    let facts: Value = ["type": "facts", "set": ["plan": "canary-fact"]]
    #expect(try await session.act(facts, as: Service.operatorKey).status == 200)
    let asked = ["Prefer": "replica"]
    let numbered: Value = [
      "client": "client-of-twenty-two-chars", "first": 1,
      "actions": [["step": "enter", "params": ["pin": "canary-pin"]], ["step": "look"], ["type": "back"]],
    ]
    let path = "/v1/sessions/\(session.id)"
    var texts: [String] = []
    texts.append(try await session.get(headers: asked).text)
    texts.append(try await session.act(numbered, headers: asked).text)
    texts.append(try await session.act(["step": "enter", "params": ["pin": "canary-pin"]], headers: ["Prefer": "predict, replica"]).text)
    for part in ["/replica?client=client-of-twenty-two-chars", "/definition", "/history", "/history?as=scenario", "?wait=1s&replica"] {
      texts.append(try await session.get(part).text)
    }
    let prediction: Value = ["actions": [["step": "enter", "params": ["pin": "canary-pin"]], ["step": "look"], ["type": "back"]]]
    texts.append(try await service.post("\(path)/predictions", prediction, secret: session.secret).text)
    // A refusal names the mistake, and does not repeat the sent value.
    texts.append(try await session.act(["step": "enter", "params": ["pin": "canary-pin", "more": 1]], headers: asked).text)
    texts.append(try await session.act(["step": "enter", "params": ["pin": ["canary-pin"]]], headers: asked).text)
    for text in texts { #expect(!text.contains("canary"), "\(text)") }
    #expect(texts.contains { $0.contains("difference") } && texts.contains { $0.contains("withheld") })
    service.crash()
    try await service.start()
    #expect(try await !session.get("/replica").text.contains("canary"))
    #expect(service.terminate() == 0)
    let log = try String(contentsOf: service.log, encoding: .utf8)
    #expect(log.contains("/replica") && !log.contains("canary"))
  }
}
