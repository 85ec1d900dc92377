import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `A service with a definition in several files` {
  private func write(_ text: String, to path: String, _ service: Service) throws {
    let file = service.folder.appending(path: "apps/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  private func writeApp(_ folder: String, _ service: Service) throws {
    for (name, text) in DividedApp.files where name != "app.yaml" { try write(text, to: "\(folder)/\(name)", service) }
    try write(DividedApp.files["app.yaml"] ?? "", to: "\(folder)/app.yaml", service)
  }

  private func put(_ service: Service, _ text: String) async throws -> Reply {
    try await service.send(
      "PUT", "/v1/apps/divided", body: Data(text.utf8), secret: Service.operatorKey, headers: ["Content-Type": "application/yaml"])
  }

  private func hash(_ service: Service) async throws -> Value? {
    try await service.send("GET", "/v1/apps/divided")["definition"]
  }

  @Test func `a folder is watched with its included files, and a mistake in one has its place`() async throws {
    let service = try await Service(arguments: ["--watch"])
    try writeApp("divided", service)
    try await service.logged("divided is new")
    #expect(try await service.session("divided").step("pick", ["id": 7]).sketch == "main[home, order[item(id: 7)]]")
    let order = DividedApp.files["flows/order.yaml"] ?? ""
    try write(order.replacing("screen: item", with: "screen: itm"), to: "divided/flows/order.yaml", service)
    try await service.logged("apps/divided/flows/order.yaml:5:36: error: there is no screen `itm`; did you mean `item`?")
    let ready = try await service.send("GET", "/readyz").text
    #expect(ready.contains("invalid files, whose previous definitions are still served: divided/app.yaml"), "\(ready)")
    try write(order + "# more\n", to: "divided/flows/order.yaml", service)
    try await service.logged("definition corrected")
    try write("screens: { lonely: }\n", to: "divided/flows/new.yaml", service)
    try await service.logged("divided was ")
    let check = try await service.send("GET", "/v1/apps/divided/check")
    #expect(
      check["warnings"] == [
        [
          "column": 12, "file": "flows/new.yaml", "line": 1, "message": "the screen `lonely` can never be shown: no flow creates it",
        ]
      ])
    try await service.logged("apps/divided/flows/new.yaml:1:12: warning: the screen `lonely` can never be shown")
    #expect(service.terminate() == 0)
  }

  @Test func `a file with include beside its parts is one app`() async throws {
    let service = try await Service(arguments: ["--watch"])
    try write("screens: { item: }\n", to: "divided-screens.yaml", service)
    try await service.logged("apps/divided-screens.yaml:1:1: error: ")
    try write(
      "app: divided\nlanguage: 1\ninclude: divided-*.yaml\nroot: main\nflows: { main: { stack: item } }\n", to: "divided.yaml", service)
    try await service.logged("divided is new")
    #expect(try await service.send("GET", "/readyz").text.contains("[+]definitions ok\n"))
    #expect(service.terminate() == 0)
  }

  @Test func `a put with include is refused, and the joined document is accepted with the hash of the files`() async throws {
    let service = try await Service()
    let refused = try await put(service, DividedApp.files["app.yaml"] ?? "")
    #expect(refused.status == 422 && refused.code == "invalid-definition")
    #expect(refused.text.contains(#""line":3"#))
    #expect(
      refused.text.contains("`cairn apps push` joins the files before it publishes them, and `cairn apps join` prints them as one document")
    )
    try writeApp("divided", service)
    let joined = try await service.run("apps", "join", "apps/divided")
    #expect(joined.code == 0)
    #expect(try await put(service, joined.output).status == 201)
    let pushed = try await hash(service)
    service.crash()
    try await service.start()
    // The service now reads the folder. Its definition has the same hash as the one that was put.
    #expect(try await hash(service) == pushed)
    #expect(try await put(service, DividedApp.single)["changed"] == false)
  }

  @Test func `scenarios that continue others pass with a service, and print the same trees`() async throws {
    let service = try await Service(apps: ["divided.yaml": DividedApp.single])
    try write(
      """
      app: divided.yaml
      scenarios:
        - { name: it is left, given: { after: an item is shown }, when: back, then: { visible: home, changes: [pop] } }
        - { name: an item is shown, when: { step: pick, params: { id: 7 } }, then: { visible: item } }
        - { name: lost, given: { after: an item is shown }, then: { visible: itme } }
      """, to: "divided.scenarios.yaml", service)
    let inProcess = try await service.run("test", "apps/divided.scenarios.yaml", "--print")
    let overHTTP = try await service.run(
      "test", "apps/divided.scenarios.yaml", "--print", "--against", "http://127.0.0.1:\(service.port)", "--key", Service.operatorKey)
    #expect(inProcess.output == overHTTP.output, "\(overHTTP.error)")
    #expect(inProcess.output.contains("    pick(id: 7)\n        main[home, order[item(id: 7)]]\n"))
    #expect(inProcess.output.contains("there is no screen itme; did you mean item?"))
    #expect(inProcess.output.hasSuffix("2 passed, 1 failed\n"))
  }
}
