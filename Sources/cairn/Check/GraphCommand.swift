import ArgumentParser
import CairnAPI
import CairnDefinition
import CairnDerived
import Foundation

/// `cairn graph FILE`: draws a definition.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draws a definition as a diagram.",
    discussion: """
      Flows are clusters, and transitions are labelled arrows. A legend explains the arrows. The format svg requires the program dot of \
      Graphviz.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case mermaid, dot, svg, json }

  @Argument(help: ArgumentHelp("A definition in YAML or JSON, or a folder with app.yaml.", valueName: "file"))
  var file: String

  @Option(help: "Output format; json is the same as from GET /v1/apps/{app}/graph.")
  var format = Format.mermaid

  func run() throws {
    do throws(StartFailure) {
      let loaded = try AppFolder.load(file)
      let graph: Graph
      do throws(Graph.TooLarge) { graph = try Graph(loaded.definition) } catch {
        throw StartFailure.tool("the graph would exceed \(Graph.sizeLimit >> 20) MiB; make the definition smaller")
      }
      switch format {
      case .mermaid: Terminal.print(graph.mermaid)
      case .dot: Terminal.print(graph.dot)
      // A graph contains no floating-point numbers, so it can always be written as JSON.
      case .json:
        let text = (try? JSONText.bytes(GraphBody(graph, hash: loaded.hash), pretty: true)) ?? []
        Terminal.print(String(decoding: text, as: UTF8.self))
      case .svg: Terminal.print(try Self.svg(graph.dot))
      }
    } catch {
      Terminal.complain(error.text)
      throw ExitCode(1)
    }
  }

  /// Runs `dot` on a temporary file and returns its output. A pipe for the input would let the two processes block each other, because the
  /// output is a pipe too.
  private static func svg(_ dot: String) throws(StartFailure) -> String {
    let source = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString).dot")
    defer { try? FileManager.default.removeItem(at: source) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["dot", "-Tsvg", source.path]
    let output = Pipe()
    process.standardOutput = output
    do {
      try dot.write(to: source, atomically: true, encoding: .utf8)
      try process.run()
    } catch {
      throw .tool("dot cannot be run: \(error.localizedDescription)")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return String(decoding: data, as: UTF8.self)
    case 127: throw .tool("SVG needs Graphviz; install the package graphviz, or use --format dot")
    default: throw .tool("dot failed with exit status \(process.terminationStatus)")
    }
  }
}
