import CairnAPI
import CairnCore
import CairnDefinition
import CairnJournal
import CairnRuntime
import CairnTesting
import Foundation
import Glibc
import Testing

@testable import CairnServer

/// Tests of documents that are derived from a definition. Each is computed once, on a separate thread, and kept within a bound.
@Suite struct DerivedDocumentTests {
  private static func app(_ name: String) throws -> PinnedDefinition {
    let text = "app: \(name)\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }"
    return PinnedDefinition(try DefinitionLoader.check(file: name, text: text))
  }

  /// The response to a call, and the name of the thread that sent it.
  private func get(_ documents: DerivedDocuments, _ document: DerivedDocument, _ app: PinnedDefinition) throws -> (
    text: String, thread: String
  ) {
    let answer = Monitor<(Result<DerivedDocuments.Written, Rejection>, String)?>(nil)
    documents.get(document, of: app) { result in
      let thread = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)) ?? ""
      answer.change { $0 = (result, thread) }
    }
    let found = try answer.wait(for: "a document") { $0 }
    return (String(decoding: try found.0.get().bytes, as: UTF8.self), found.1)
  }

  @Test func `simultaneous requests for one document share one computation, on a thread of its own`() throws {
    let documents = DerivedDocuments(version: "1")
    let app = try Self.app("one")
    let texts = Monitor<[String]>([])
    let threads = try (0..<8).map { _ in
      try NamedThread("asker") {
        documents.get(.graph(.dot), of: app) { result in
          texts.change { $0.append(String(decoding: (try? result.get().bytes) ?? [], as: UTF8.self)) }
        }
      }
    }
    for thread in threads { thread.join() }
    let all = try texts.wait(for: "eight documents") { $0.count == 8 ? $0 : nil }
    #expect(Set(all).count == 1 && documents.computed == 1)
    let first = try get(documents, .check(doubts: app.doubts), app)
    #expect(first.thread == "cairn-documents" && documents.computed == 2)
    #expect(try get(documents, .check(doubts: app.doubts), app).text == first.text && documents.computed == 2)
  }

  @Test func `the OpenAPI documents that are served name the commit of the build`() throws {
    let documents = DerivedDocuments(version: "1", commit: "abc")
    let general = Monitor<Result<DerivedDocuments.Written, Rejection>?>(nil)
    documents.getGeneral(pretty: false) { result in general.change { $0 = result } }
    let written = try general.wait(for: "the general document") { $0 }.get()
    for text in [String(decoding: written.bytes, as: UTF8.self), try get(documents, .openAPI, try Self.app("one")).text] {
      #expect(text.contains(#""x-commit":"abc""#), "\(text.prefix(500))")
    }
  }

  @Test func `documents are kept within a bound of bytes, and the least recently used is dropped first`() throws {
    let apps = try (0..<6).map { try Self.app("app-\($0)") }
    let size = try get(DerivedDocuments(version: "1"), .openAPI, apps[0]).text.utf8.count
    let documents = DerivedDocuments(version: "1", limit: size * 5 / 2)
    for app in apps { _ = try get(documents, .openAPI, app) }
    #expect(documents.weight <= size * 5 / 2 && documents.computed == 6)
    _ = try get(documents, .openAPI, apps[5])
    #expect(documents.computed == 6, "the newest one is kept")
    _ = try get(documents, .openAPI, apps[0])
    #expect(documents.computed == 7, "the oldest one had to go")
  }

  @Test func `the lookup of a link runs on that thread too, and is not kept`() throws {
    let documents = DerivedDocuments(version: "1")
    let app = try Self.app("one")
    for _ in 0..<2 { #expect(try get(documents, .links(url: "x://y", isRedirect: false), app).thread == "cairn-documents") }
    #expect(documents.computed == 2 && documents.weight == 0)
  }

  @Test func `over HTTP a document of a definition is computed once for each form`() throws {
    let workshop = try Workshop()
    let before = workshop.service.documents.derived.computed
    for _ in 0..<3 {
      for path in ["graph", "graph?format=dot", "graph?format=mermaid", "openapi.json", "check", "links", ""] {
        let reply = try workshop.send("GET", "/v1/apps/lab/\(path)".trimmingSuffix("/"))
        #expect(reply.status == 200, "\(path): \(reply.text)")
      }
    }
    #expect(workshop.service.documents.derived.computed == before + 7)
  }

  private static let kinds: [DerivedDocument] = [
    .openAPI, .graph(.json), .graph(.mermaid), .graph(.dot), .check(doubts: nil), .description, .travelling,
    .links(url: nil, isRedirect: false),
  ]

  @Test(arguments: kinds)
  func `a document of a definition whose sets are used often is proportional to its text`(_ document: DerivedDocument) throws {
    let uses = 0..<600
    let steps = uses.map { "s\($0): { x: { type: integer, in: big }, y: { type: optional string, in: words } }" }
    let handlers = uses.map { "s\($0): [{ when: { param: x, in: big }, do: { push: home } }, { do: [] }]" }
    let text = """
      app: sets
      language: 1
      compat: { emits: any }
      root: { flow: main }
      sets: { big: \(Array(0..<30_000)), words: \((0..<10_000).map { "word\($0)" }) }
      facts: { f: { type: integer, in: big, by: client }, g: { type: optional string, in: words } }
      screens: { home: { params: { x: { type: integer, in: big, default: 7 } } } }
      steps: { \(steps.joined(separator: ", ")) }
      flows: { main: { stack: home, handle: { \(handlers.joined(separator: ", ")) } } }
      """
    let pinned = PinnedDefinition(try DefinitionLoader.check(file: "sets", text: text))
    let bytes = try document.bytes(of: pinned, version: "1", pretty: false)
    #expect(bytes.count < 4 * text.utf8.count, "\(bytes.count) of \(text.utf8.count)")
  }

  @Test(arguments: [DerivedDocument.openAPI, .graph(.json), .graph(.mermaid), .graph(.dot)])
  func `a document that would be too large is refused before it is made`(_ document: DerivedDocument) throws {
    var definition = try Self.app("large").definition
    for number in 0..<3_000 {
      // Each of the steps is sent to all flows, and each of the flows handles them.
      definition.flows["f\(number)"] = FlowDefinition(
        container: .stack, initialChildren: .root(Contribution(.screen("home"))),
        handle: ["go": Handler(branches: [.init(operations: [.forward(StepTemplate("go", to: .all))])])])
    }
    let parameters = Dictionary(uniqueKeysWithValues: (0..<60_000).map { ("param\($0)", ParameterDefinition(.string)) })
    for number in 0..<8 { definition.steps["s\(number)"] = StepDefinition(params: parameters) }
    let pinned = PinnedDefinition(hash: "h", text: "", definition: definition, doubts: [])
    #expect(throws: DerivedDocument.Fault.self) { try document.bytes(of: pinned, version: "1", pretty: false) }
    let answer = Monitor<Result<DerivedDocuments.Written, Rejection>?>(nil)
    DerivedDocuments(version: "1").get(document, of: pinned) { result in answer.change { $0 = result } }
    let rejection = #expect(throws: Rejection.self) { try answer.wait(for: "a rejection") { $0 }.get() }
    #expect(rejection?.problem.code == "document-too-large" && rejection?.problem.detail.contains("16 MiB") == true)
  }

  @Test(arguments: [DerivedDocument.openAPI, .graph(.json), .description])
  func `a definition of four times the size takes about four times as long`(_ document: DerivedDocument) throws {
    func time(_ count: Int) throws -> Double {
      var definition = try Self.app("large").definition
      for number in 0..<count {
        definition.steps["step\(number)"] = StepDefinition(params: ["id": ParameterDefinition(.string)])
        definition.screens["screen\(number)"] = ScreenDefinition(emits: ["step\(number)"])
        definition.links.append(
          LinkDefinition(schemes: ["x"], path: [.literal("a\(number)"), .capture("id")], steps: [StepTemplate("step\(number)")]))
        definition.flows["main"]?.handle["step\(number)"] = Handler(branches: [
          .init(operations: [.push(Contribution(.screen("screen\(number)")))])
        ])
      }
      let pinned = PinnedDefinition(hash: "h\(count)", text: "", definition: definition, doubts: [])
      let start = Self.threadTime()
      _ = try document.bytes(of: pinned, version: "1", pretty: false)
      return Self.threadTime() - start
    }
    // Work that grows with the square of the size would take sixteen times as long in each attempt. Other work on the machine disturbs only some
    // attempts.
    var attempts: [(once: Double, fourfold: Double)] = []
    repeat {
      attempts.append((try time(1_250), try time(5_000)))
      if attempts.contains(where: { $0.fourfold < $0.once * 8 }) { return }
    } while attempts.count < 10
    Issue.record("\(attempts)")
  }

  /// CPU seconds of this thread, which do not depend on other work of the machine.
  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
