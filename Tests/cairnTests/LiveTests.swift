import CairnCore
import CairnTesting
import Foundation
import Glibc
import Testing

@Suite(.tags(.timing), .ownThreads) struct `The events that a client receives` {
  private struct Event: Equatable {
    var name = ""
    var id: Int?
    var data: Value = .null
  }

  /// A curl process that reads a stream and writes its events to a file.
  private final class Stream {
    let process: ChildProcess
    let file: URL

    init(_ service: Service, _ session: Driven, after id: Int) throws {
      file = service.folder.appending(path: "events-\(UUID().uuidString)")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      let arguments = [
        "curl", "-sN", "-H", "Authorization: Bearer \(session.secret)", "-H", "Last-Event-ID: \(id)",
        "http://127.0.0.1:\(service.port)/v1/sessions/\(session.id)/events",
      ]
      process = try ChildProcess("/usr/bin/env", arguments, output: .appended(file.path))
    }

    /// The events that have been received completely.
    func events() throws -> [Event] {
      try Self.events(in: String(contentsOf: file, encoding: .utf8))
    }

    private static func events(in text: String) throws -> [Event] {
      try text.components(separatedBy: "\n\n").dropLast().compactMap { block in
        var event = Event()
        for line in block.split(separator: "\n") {
          let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
          guard parts.count == 2 else { continue }
          switch parts[0] {
          case "event": event.name = parts[1]
          case "id": event.id = Int(parts[1].prefix { $0 != "-" })
          case "data": event.data = try JSONDecoder().decode(Value.self, from: Data(parts[1].utf8))
          default: break
          }
        }
        return event.name.isEmpty ? nil : event
      }
    }

    /// Returns once an event with this revision or a later one has been received.
    func wait(for id: Int) async throws {
      let growing = GrowingFile(file.path)
      _ = try await onOwnThread {
        try growing.wait(for: "event \(id)") { try Self.events(in: $0).last { $0.id != nil }?.id ?? 0 >= id }
      }
    }
  }

  @Test func `with repeated kills of the service no event is missed and none is repeated`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let first = try #require(session.created.revision)
    var heard: [Event] = []
    var last = first
    for round in 1...3 {
      let stream = try Stream(service, session, after: last)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            while let reply = try? await session.step("productIsPicked", ["productId": 1]), reply.status == 200 {
              if (reply.revision ?? 0) >= first + round * 120 { service.crash() }
            }
          }
        }
        try await group.waitForAll()
      }
      _ = try stream.process.waitForEnd()
      heard += try stream.events()
      last = heard.last?.id ?? last
      try await service.start()
    }
    let newest = try #require(try await session.get().revision)
    let stream = try Stream(service, session, after: last)
    // The client may have received every event before the last kill.
    if newest > last { try await stream.wait(for: newest) }
    heard += try stream.events()
    #expect(heard.map(\.id) == ((first + 1)...newest).map(Optional.some) && heard.allSatisfy { $0.name == "change" })
    var after = first
    while after < newest {
      guard case .array(let entries)? = try await session.get("/history?after=\(after)&limit=1000")["entries"] else { break }
      for (entry, event) in zip(entries, heard.dropFirst(after - first)) {
        guard case .object(var members) = entry else { continue }
        members["cause"] = members.removeValue(forKey: "action")
        #expect(event.data == .object(members))
      }
      after += entries.count
    }
  }

  @Test func `a stopping service ends each stream with a reason`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let streams = try (0..<3).map { _ in try Stream(service, session, after: 0) }
    for stream in streams { try await stream.wait(for: 1) }
    async let answer = session.get("?wait=60s", headers: ["If-None-Match": session.created.headers["etag"] ?? ""])
    try await waiting(service)
    #expect(service.terminate() == 0)
    for stream in streams {
      _ = try stream.process.waitForEnd()
      #expect(try stream.events().last == Event(name: "end", data: .object(["reason": .string("stopping")])))
    }
    #expect(try await answer.code == "stopping")
  }

  /// Returns once a request waits in the service.
  private func waiting(_ service: Service) async throws {
    try await waitInTask(for: "a request that waits") {
      try await service.send("GET", "/metrics").text.contains("cairn_waiting 1\n")
    }
  }

  /// Bash runs the commands of docs/live.md unchanged. Each `# →` line is a text that the output of the command above it must contain.
  @Test func `the examples of docs/live.md run unchanged`() async throws {
    let service = try await Service()
    let page = try String(contentsOf: Service.root.appending(path: "docs/live.md"), encoding: .utf8)
    // A remaining curl process would keep the pipe open.
    var script = "set -euo pipefail; trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT; CAIRN_OPERATOR_KEY=\(Service.operatorKey)\n"
    var expectations = 0
    for fence in page.components(separatedBy: "```sh\n").dropFirst() {
      for line in (fence.components(separatedBy: "```").first ?? "").split(separator: "\n") {
        if line.hasPrefix("# → ") {
          expectations += 1
          script += "case \"$out\" in *'\(line.dropFirst(4))'*) ;; *) echo 'expected \(line.dropFirst(4)) in: '\"$out\"; exit 1 ;; esac\n"
        } else if line.hasSuffix("&") {
          // curl needs time to connect in the background. The added line waits until curl has received the beginning of the stream.
          script += "rm -f events.txt\n\(line)\n{ tail -F events.txt 2>/dev/null || true; } | head -c 1 >/dev/null\n"
        } else if line.hasPrefix("curl") || line.hasPrefix("cat") {
          script += "out=$(\(line))\n"
        } else {
          script += "\(line)\n"
        }
      }
    }
    #expect(expectations >= 8)
    let text = script.replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(service.port)")
    let bash = try ChildProcess("/bin/bash", ["-c", text], folder: service.folder.path, output: .collected, error: .likeOutput)
    #expect(try bash.exitCode() == 0, "\(bash.output.text)")
  }
}
