import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commands of the tour` {
  /// Bash runs the commands of docs/tour.md against a service on another port. Each `# →` line is a text that the output of the command
  /// above it must contain. The service is restarted where the page restarts it.
  @Test func `the commands of the tour print what the page shows`() async throws {
    let service = try await Service()
    let page = try String(contentsOf: Service.root.appending(path: "docs/tour.md"), encoding: .utf8)
    let tour = try #require(
      page.components(separatedBy: "<!-- tour -->").dropFirst().first?.components(separatedBy: "<!-- end of tour -->").first)
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

  /// Excludes `watch`, which runs until it is interrupted and has separate tests.
  @Test func `the terminal commands of the tour lead to the described session`() async throws {
    let service = try await Service()
    let page = try String(contentsOf: Service.root.appending(path: "docs/tour.md"), encoding: .utf8)
    let part = try #require(
      page.components(separatedBy: "<!-- terminal -->\n```sh\n").dropFirst().first?.components(separatedBy: "```").first)
    let lines = part.split(separator: "\n").map { $0.split(separator: "#")[0].split(separator: " ").map(String.init) }
    #expect(lines.count == 3 && lines.last == ["cairn", "session", "watch"])
    let place = ["CAIRN_URL": "http://127.0.0.1:\(service.port)", "XDG_STATE_HOME": service.folder.path, "LC_ALL": "C.UTF-8"]
    for line in lines.dropLast() {
      let finished = try await service.run(Array(line.dropFirst()), environment: place)
      #expect(finished.code == 0, "\(line): \(finished.error)")
    }
    let drawn = try await service.run("session", "show", environment: place)
    #expect(drawn.output.contains("main  stack\n├─ home\n└─ product(productId: 7)  ◀ visible\n"), "\(drawn.output)")
  }

  /// Stores assigned variables in a file, so that they persist from part to part as in a terminal.
  private func bash(_ script: String, in service: Service) throws -> (code: Int32, said: String) {
    let text =
      "set -euo pipefail; PORT=\(service.port); [ ! -f variables ] || . ./variables\n"
      + script.replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(service.port)")
      + "\ndeclare -p ID SECRET > variables; echo \"SESSION=http://127.0.0.1:\\$PORT/v1/sessions/$ID\" >> variables"
    let bash = try ChildProcess("/bin/bash", ["-c", text], folder: service.folder.path, output: .collected, error: .likeOutput)
    let code = try bash.exitCode()
    return (code, bash.output.text)
  }

  /// The fenced lines of a part of the tour, with a check for each expected output.
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
