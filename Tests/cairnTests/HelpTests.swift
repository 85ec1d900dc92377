import ArgumentParser
import CairnTesting
import Foundation
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `The help on a terminal and in a pipe` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static let groups = CairnCommand.configuration.groupedSubcommands

  /// The output of a command, on a terminal with stderr.
  private func output(_ arguments: String..., onTerminal: Bool, environment: [String: String] = [:]) async throws -> String {
    let plain = ["NO_COLOR": "", "TERM": "xterm", "COLUMNS": "80"]
    let command = try Beside(arguments, in: folder, environment: plain.merging(environment) { $1 }, onTerminal: onTerminal)
    _ = try await command.code()
    return command.said.replacing("\r\n", with: "\n")
  }

  @Test func `every command is in one group, and has one line in the help`() {
    let names = Self.groups.flatMap(\.subcommands).compactMap { $0.configuration.commandName }
    #expect(CairnCommand.configuration.ungroupedSubcommands.isEmpty && Set(names).count == names.count)
    let help = HelpText.printed(CairnCommand.helpMessage(columns: 80), hasColour: false)
    let sections = help.components(separatedBy: "\n\n").suffix(Self.groups.count + 1)
    let expected = Self.groups.map { group in
      [group.name.uppercased() + ":"] + group.subcommands.map { "  \($0.configuration.commandName ?? "")" }
    }
    let found = sections.dropLast().map { section in
      section.split(separator: "\n").enumerated().map { number, line in
        number == 0 ? String(line) : "  \(line.split(separator: " ")[0])"
      }
    }
    #expect(found == expected, "\(help)")
    #expect(!help.contains("SUBCOMMANDS"))
  }

  @Test func `the help begins with examples of commands that exist`() {
    let lines = CairnCommand.configuration.discussion.split(separator: "\n")
    let names = Self.groups.flatMap(\.subcommands).compactMap { $0.configuration.commandName }
    let examples = lines.filter { $0.hasPrefix("  cairn ") }.map { String($0.split(separator: " ")[1]) }
    #expect(lines.first == "EXAMPLES:" && examples.count >= 2 && Set(examples).isSubset(of: names), "\(lines)")
  }

  @Test func `without arguments, with --help and with help the same text is printed, without colours in a pipe`() async throws {
    let texts = [
      try await output(onTerminal: false), try await output("--help", onTerminal: false), try await output("help", onTerminal: false),
    ]
    #expect(Set(texts).count == 1 && texts[0].contains("\nEXAMPLES:\n") && !texts[0].contains("\u{1B}"), "\(texts)")
    #expect(texts[0] == HelpText.printed(CairnCommand.helpMessage(columns: 80), hasColour: false) + "\n")
    #expect(try await output("help", "serve", onTerminal: false) == ServeCommand.help + "\n")
  }

  @Test func `on a terminal headings and names have colours, unless NO_COLOR or TERM=dumb forbids them`() async throws {
    let text = try await output("--help", onTerminal: true)
    #expect(text.contains("\u{1B}[1mEXAMPLES:\u{1B}[0m\n") && text.contains("\n  \u{1B}[36mcheck\u{1B}[0m   "), "\(text)")
    #expect(text.contains("\u{1B}[1mUSAGE:\u{1B}[0m cairn <subcommand>\n") && text.contains("\n  See 'cairn help"), "\(text)")
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let plain = try await output("--help", onTerminal: true, environment: environment)
      #expect(plain.contains("EXAMPLES:\n") && !plain.contains("\u{1B}"), "\(plain)")
    }
  }

  @Test func `on a terminal the first words of errors have colours`() async throws {
    let unknown = try await output("serve", "--prot", "1", onTerminal: true)
    #expect(unknown.hasPrefix("\u{1B}[31mError:\u{1B}[0m Unknown option '--prot'. Did you mean '--port'?\n"), "\(unknown)")
    #expect(unknown.contains("\u{1B}[1mUsage:\u{1B}[0m cairn serve"), "\(unknown)")
    #expect(try await output("sesion", onTerminal: true).hasPrefix("\u{1B}[31mcairn:\u{1B}[0m the command cairn sesion does not exist;"))
    try "app: a\nlanguage: 1\nroot: { flow: mian }\nscreens: { home: }\nflows: { main: { stack: home } }\n"
      .write(to: folder.appending(path: "a.yaml"), atomically: true, encoding: .utf8)
    let checked = try await output("check", "a.yaml", onTerminal: true)
    #expect(checked.contains("a.yaml:3:15:\u{1B}[31m error: \u{1B}[0m"), "\(checked)")
  }

  @Test func `an option whose value is wrong or missing is reported with the help of its command`() async throws {
    for (arguments, text) in [
      (["rollout", "show", "shop"], "a rollout needs an operator's key: --key, or CAIRN_OPERATOR_KEY"),
      (
        ["session", "show", "--session", "s", "--url", "nowhere"],
        "the service's address must be a URL such as http://127.0.0.1:8080, not \"nowhere\""
      ),
    ] {
      let environment = ["TERM": "dumb", "CAIRN_OPERATOR_KEY": "", "CAIRN_SECRET": "cs_1"]
      let command = try Beside(arguments, in: folder, environment: environment, onTerminal: true)
      #expect(try await command.code() == 64)
      let path = "cairn \(arguments[0]) \(arguments[1])"
      #expect(command.said.replacing("\r\n", with: "\n") == "cairn: \(text)\n  See '\(path) --help' for more information.\n")
    }
  }

  @Test func `a folder in place of a file is named as a folder`() async throws {
    #expect(
      try await output("test", ".", onTerminal: false) == ".: cannot be read: it is a folder; name a file in it\n0 passed, 1 failed\n")
  }

  @Test func `the help of serve begins with the address, and keeps its lines within the width`() {
    let lines = ServeCommand.help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && ServeCommand.help.contains("\nOPTIONS:\n  --host <host>"), "\(ServeCommand.help)")
    // The argument parser loses the indentation of a line that it wraps.
    let variables = lines.drop { !$0.hasPrefix("Only in the environment") }.dropFirst().prefix { !$0.isEmpty }
    #expect(variables.count > 3 && variables.allSatisfy { $0.hasPrefix("  ") }, "\(variables)")
  }

  @Test func `other texts of the argument parser are unchanged`() {
    let script = CairnCommand.completionScript(for: .bash)
    #expect(HelpText.printed(script, hasColour: true) == script)
    #expect(HelpText.printed("0.1.0 (abc)", hasColour: true) == "0.1.0 (abc)")
  }

  @Test func `of a diagnostic the severity is coloured, and not the same word in the message`() {
    #expect(
      DiagnosticText.printed("a.yaml:1:2: warning: an error: x\nnext\n", hasColour: true)
        == "a.yaml:1:2:\u{1B}[33m warning: \u{1B}[0man error: x\nnext\n")
    #expect(DiagnosticText.printed("a.yaml:1:2: error: x", hasColour: false) == "a.yaml:1:2: error: x")
  }
}

extension ServeCommand {
  fileprivate static var help: String { CairnCommand.helpMessage(for: ServeCommand.self, columns: 80) }
}
