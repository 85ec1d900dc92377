import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `The setting engine` {
  private static let module = Data([0, 0x61, 0x73, 0x6D, 1, 0, 0, 0])

  /// Creates a folder with these files, and returns it.
  private func folder(_ files: [String: Data]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: folder.appending(path: name)) }
    return folder
  }

  @Test func `the engine of the folder is read once, at the start`() async throws {
    let folder = try folder(["engine.wasm": Self.module, "engine.wasm.br": Data("small".utf8)])
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try await Service(arguments: ["--engine", folder.path, "--predict", "shop"])
    try FileManager.default.removeItem(at: folder.appending(path: "engine.wasm"))
    let session = try await service.session("shop")
    let definition = try await service.send("GET", "/v1/sessions/\(session.id)/definition", secret: session.secret)
    #expect(definition.headers["cairn-engine"] == "/engine/93a44bbb96c75121.wasm", "\(definition.text)")
    let reply = try await service.send("GET", "/engine/93a44bbb96c75121.wasm", headers: ["Accept-Encoding": "identity"])
    #expect(reply.status == 200 && Data(reply.text.utf8) == Self.module)
  }

  @Test func `a start without the engine's files fails with what to do, and serve --check says the same`() async throws {
    let service = try await Service()
    let cases: [([String: Data], String)] = [
      ([:], "/engine.wasm: cannot be read: the setting engine must name a folder with the engine; `make engine` builds it"),
      (["engine.wasm": Self.module], "/engine.wasm.br: cannot be read: the setting engine must name a folder"),
      (["engine.wasm": Data(), "engine.wasm.br": Data([1])], "/engine.wasm: cannot be read: the setting engine must name a folder"),
      (
        ["engine.wasm": Data("<html>".utf8), "engine.wasm.br": Data([1])],
        "/engine.wasm: cannot be read: the file must be a WebAssembly module"
      ),
    ]
    let (database, apps) = (service.folder.appending(path: "other.sqlite").path, service.folder.appending(path: "apps").path)
    for (files, message) in cases {
      let folder = try folder(files)
      defer { try? FileManager.default.removeItem(at: folder) }
      let arguments = ["--port", "0", "--database", database, "--apps", apps, "--engine", folder.path]
      for command in [["serve"], ["serve", "--check"]] {
        let finished = try await service.run(command + arguments)
        #expect(finished.code == 1 && finished.error.hasPrefix("cairn: \(folder.path)\(message)"), "\(finished.error)")
      }
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }

  @Test func `serve --check prints the engine's path`() async throws {
    let folder = try folder(["engine.wasm": Self.module, "engine.wasm.br": Data("small".utf8)])
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try await Service()
    let database = service.folder.appending(path: "other.sqlite").path
    let checked = try await service.run([
      "serve", "--check", "--port", "0", "--database", database, "--apps", service.folder.appending(path: "apps").path, "--engine",
      folder.path,
    ])
    let lines = "engine in \(folder.path)\n  /engine/93a44bbb96c75121.wasm\n"
    #expect(checked.code == 0 && checked.output.contains(lines), "\(checked.output)")
  }
}
