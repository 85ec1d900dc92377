import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

/// The examples of the pages about the language. Each is parsed, and behaves as the line below it describes.
@Suite struct DocumentTests {
  /// A fenced block of YAML, and the line of actions and results below it, if there is one.
  struct Example: Sendable, CustomTestStringConvertible {
    var text: String
    var story: [String] = []
    var page: String
    var line: Int
    var testDescription: String { "\(page), line \(line)" }

    /// The top-level keys with their text, including comments.
    var sections: [(key: String, text: String)] {
      var sections: [(key: String, text: String)] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let first = line.first, first.isLetter {
          sections.append((String(line.prefix { $0 != ":" }), "\(line)\n"))
        } else if !sections.isEmpty {
          sections[sections.count - 1].text += "\(line)\n"
        }
      }
      return sections
    }
  }

  /// The pages with examples, in `docs`.
  private static let pages = ["definition.md", "patterns.md", "effects.md", "migration.md"]

  static func text(of page: String) -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/\(page)").standardized
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  static let examples: [Example] = {
    var examples: [Example] = []
    for page in pages {
      var isInside = false
      for (number, line) in text(of: page).components(separatedBy: "\n").enumerated() {
        if line == "```yaml" {
          isInside = true
          examples.append(Example(text: "", page: page, line: number + 2))
        } else if line == "```" {
          isInside = false
        } else if isInside {
          examples[examples.count - 1].text += line + "\n"
        } else if line.hasPrefix("> `"), !examples.isEmpty {
          examples[examples.count - 1].story = line.dropFirst(2).components(separatedBy: " · ")
        }
      }
    }
    return examples
  }()

  /// The example app `guide`, which completes the other examples.
  private static let guide = examples.first { $0.text.hasPrefix("app: guide") }
  private static let sectionNames: Set = [
    "sets", "facts", "screens", "steps", "rules", "links", "linkDefaults", "notifications", "oauth", "flows",
    "allowHosts", "loadDefaults",
  ]
  private static let home = "flows:\n  main: { stack: home }\n"

  /// Completes an example to a whole file. An example is a whole file itself, replaces sections of the guide, or replaces its flows.
  static func whole(_ example: Example) -> String {
    guard let guide else { return "" }
    if example.text.hasPrefix("app: guide") { return example.text + home }
    if example.text.hasPrefix("app:") { return example.text }
    let keys = Set(example.sections.map(\.key))
    if keys.isSubset(of: sectionNames) {
      return guide.sections.filter { !keys.contains($0.key) }.map(\.text).joined() + example.text + (keys.contains("flows") ? "" : home)
    }
    let flows = example.text.split(separator: "\n").map { "  \($0)\n" }.joined()
    return guide.text + "flows:\n" + flows
  }

  @Test func `there are examples, and most have a line of actions`() {
    #expect(DocumentTests.examples.count > 25)
    #expect(DocumentTests.examples.filter { !$0.story.isEmpty }.count > 15)
  }

  @Test(arguments: examples) func `an example is a valid definition`(example: Example) {
    #expect(complaints(DocumentTests.whole(example)) == [])
  }

  @Test(arguments: examples.filter { !$0.story.isEmpty }) func `the line of actions below an example is true`(example: Example) throws {
    let reducer = Reducer(try definition(DocumentTests.whole(example)))
    var (state, _) = try reducer.create(Creation(), stamp: Stamp(time: 0, nonce: "n"))
    var time = 10_000
    for part in example.story {
      if part.hasPrefix("`") {
        #expect(reducer.tree(of: state).sketch == part.trimmingCharacters(in: ["`"]))
      } else if part.hasPrefix("*") {
        try make(part.trimmingCharacters(in: ["*"]).components(separatedBy: " "), in: &state, by: reducer)
      } else if part.hasPrefix("later ") {
        time += try #require(DurationText.milliseconds(String(part.dropFirst(6))))
      } else {
        _ = try reducer.reduce(
          &state, try action(part, in: state, reducer.definition.notifications), stamp: Stamp(time: time, nonce: "n"))
      }
    }
  }

  /// Parses an action: `tapped`, `picked(id: 7)`, `open URL`, `tap {…}`, `arrives {…}`, `action NAME {…}`, `reply TEXT {…}`, `token` or `app
  /// background`. `due` ends the oldest timer or load. `loaded(order: 7)` and `failed(503)` end the oldest request.
  private func action(_ text: String, in state: State, _ notifications: NotificationDefinition) throws -> Action {
    if text == "due" { return .effect(id: try #require(state.effects.first).id, .due(tick: 1)) }
    if text == "token" { return .token }
    if text.hasPrefix("app ") { return .appState(try #require(Action.Activity(rawValue: String(text.dropFirst(4))))) }
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if words.first == "open" { return .open(url: try #require(words.last)) }
    if text.hasSuffix("}"), let brace = text.firstIndex(of: "{") {
      let payload = try FoundationJSON.value(text[brace...])
      let told = text[..<brace].split(separator: " ").map(String.init)
      return notifications.action(
        for: payload, tap: told[0] == "tap", appState: .foreground, action: told[0] == "action" ? told[1] : nil,
        reply: told[0] == "reply" ? told[1] : nil)
    }
    let name = text.prefix { $0 != "(" }
    let inner = text.dropFirst(name.count).dropFirst().dropLast()
    var params: [String: Value] = [:]
    if let colon = inner.firstIndex(of: ":") {
      params[String(inner[..<colon])] = .integer(try #require(Int(inner[colon...].dropFirst(2))))
    }
    let request = state.effects.first(where: \.isRequest)
    if name == "loaded" { return .effect(id: try #require(request).id, .loaded(.object(params))) }
    if name == "failed" { return .effect(id: try #require(request).id, .failed("http-status: \(inner)")) }
    return .step(Step(String(name), params: params), from: nil)
  }

  /// Runs a gesture. The words are its name, for `select` the index of the tab, and, if it must be rejected, the expected code.
  private func make(_ words: [String], in state: inout State, by reducer: Reducer) throws {
    var words = words[...]
    let name = words.popFirst()
    let action: Action? =
      switch name {
      case "pop": .pop(count: 1, node: nil)
      case "popToRoot": .popToRoot
      case "dismiss": .dismiss(node: nil)
      case "back": .back
      case "select": words.popFirst().flatMap { Int($0) }.map { .select(.tab($0), node: nil) }
      default: nil
      }
    let gesture = try #require(action, "there is no gesture \(name ?? "")")
    var refusal: Refusal?
    do throws(Refusal) {
      _ = try reducer.reduce(&state, gesture, stamp: Stamp(time: 10_000, nonce: "n"))
    } catch {
      refusal = error
    }
    #expect(refusal?.code.rawValue == words.first)
  }

  /// Compares the pages with the tables of the decoder.
  @Test func `the pages document every operation`() throws {
    let said = complaints(Demo.handling("{ xyzzyxyzzy: 1 }")).first ?? ""
    let list = try #require(said.components(separatedBy: "the operations are ").last)
    let operations = list.replacing(" and ", with: ", ").replacing("`", with: "").components(separatedBy: ", ")
    #expect(operations.count == 27)
    let page = DocumentTests.examples.map(\.text).joined()
    for operation in operations {
      #expect(page.contains("\(operation):") || page.contains(": \(operation)") || page.contains("[\(operation)"), "\(operation)")
    }
  }
}
