import ArgumentParser
import CairnCore

/// A hint for an unknown command or option whose name is similar to a known one.
enum CommandHint {
  /// Returns the hint for an unknown command in these arguments; `nil` if all command names are known. `arguments` does not contain the
  /// program's name.
  static func text(_ arguments: [String]) -> String? {
    let isHelp = arguments.first == "help"
    var command: any ParsableCommand.Type = CairnCommand.self
    var path = "cairn"
    for word in arguments.dropFirst(isHelp ? 1 : 0) {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
        // Only the first word can be `help`.
        let names = subcommands.compactMap { $0.configuration.commandName } + (path == "cairn" && !isHelp ? ["help"] : [])
        let start = "the command \(path) \(PrintableText.of(word)) does not exist"
        if options(of: command).contains("--" + word) { return "\(start); did you mean \(path) --\(word)?" }
        if let meant = NearestName.of(word, among: names) { return "\(start); did you mean \(path) \(meant)?" }
        return "\(start); \(path) --help lists the commands"
      }
      command = next
      path += " " + word
    }
    return nil
  }

  /// Returns the hint for the first unknown option that is similar to an option of the command; `nil` if there is no such option. Also
  /// `nil` if `message`, the error of the argument parser, already contains the hint. The parser gives no hint for `--help`, and none if a
  /// required argument is missing, although that argument may be the misspelt one.
  static func option(_ arguments: [String], message: String) -> String? {
    let (command, path) = command(arguments)
    let known = options(of: command)
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = String(word.prefix { $0 != "=" })
      guard !known.contains(name), let meant = NearestName.of(name, among: known) else { continue }
      if message.contains("Did you mean '\(meant)'") { return nil }
      return "the option \(PrintableText.of(name)) of \(path) does not exist; did you mean \(meant)?"
    }
    return nil
  }
  /// Returns the names of the command that the arguments select, such as "cairn rollout show".
  static func path(_ arguments: [String]) -> String { command(arguments).path }

  private static func command(_ arguments: [String]) -> (type: any ParsableCommand.Type, path: String) {
    var command: any ParsableCommand.Type = CairnCommand.self
    var path = "cairn"
    for word in arguments where !word.hasPrefix("-") {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else { break }
      command = next
      path += " " + word
    }
    return (command, path)
  }

  private static func options(of command: any ParsableCommand.Type) -> [String] {
    HelpText.options(of: CairnCommand.helpMessage(for: command, includeHidden: true, columns: 1_000))
  }
}
