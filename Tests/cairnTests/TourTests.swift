import Foundation
import Testing

@Suite struct `The README` {
  /// The commands of the tour are run by bash as they stand, against a service on another port; each `# →` line says what
  /// must be in the output of the command above it. The service is restarted where the tour says so.
  @Test func `the tour runs as it stands`() async throws {
    let service = try await Service()
    let readme = try String(contentsOf: Service.root.appending(path: "README.md"), encoding: .utf8)
    let tour = try #require(
      readme.components(separatedBy: "<!-- tour -->").dropFirst().first?.components(separatedBy: "<!-- end of tour -->").first)
    let parts = tour.components(separatedBy: "<!-- restart -->").map(Script.init)
    #expect(parts.count == 2)
    #expect(parts.map(\.expectations).reduce(0, +) >= 10)
    for (index, part) in parts.enumerated() {
      if index > 0 {
        #expect(service.terminate() == 0)
        try await service.start()
      }
      let (code, said) = try bash(part.text, in: service)
      #expect(code == 0, "\(said)")
    }
  }

  /// What is assigned lasts from part to part in a file, as it does in a reader's terminal.
  private func bash(_ script: String, in service: Service) throws -> (code: Int32, said: String) {
    let bash = Process()
    bash.executableURL = URL(filePath: "/bin/bash")
    bash.arguments = [
      "-c",
      "set -euo pipefail; PORT=\(service.port); [ ! -f variables ] || . ./variables\n"
        + script.replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(service.port)")
        + "\ndeclare -p ID SECRET > variables; echo \"SESSION=http://127.0.0.1:\\$PORT/v1/sessions/$ID\" >> variables",
    ]
    let output = Pipe()
    bash.standardOutput = output
    bash.standardError = output
    bash.currentDirectoryURL = service.folder
    try bash.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    bash.waitUntilExit()
    return (bash.terminationStatus, said)
  }

  /// The fenced lines of a part of the tour, with a check for each expectation.
  private struct Script {
    var text = ""
    var expectations = 0

    init(_ markdown: String) {
      var isFenced = false
      for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") {
          isFenced.toggle()
        } else if isFenced, line.hasPrefix("# → ") {
          let wanted = line.dropFirst(4)
          expectations += 1
          text += "case \"$out\" in *'\(wanted)'*) ;; *) echo 'expected \(wanted) in: '\"$out\"; exit 1 ;; esac\n"
        } else if isFenced, line.hasPrefix("curl") {
          text += "out=$(\(line))\n"
        } else if isFenced, !line.isEmpty {
          text += "\(line)\n"
        }
      }
    }
  }
}
