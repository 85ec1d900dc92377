import ArgumentParser
import CairnCore

/// A hint for an unknown command whose name is similar to a known one.
enum CommandHint {
  /// Returns the hint for these arguments; `nil` if all command names are known, or if no known name is similar. `arguments` does not
  /// contain the program's name.
  static func text(_ arguments: [String], of root: any ParsableCommand.Type = CairnCommand.self) -> String? {
    var command = root
    var path = root.configuration.commandName ?? ""
    for word in arguments {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
        let names = subcommands.compactMap { $0.configuration.commandName }
        return NearestName.of(word, among: names).map { meant in
          "the command \(path) \(PrintableText.of(word)) does not exist; did you mean \(path) \(meant)?"
        }
      }
      command = next
      path += " " + word
    }
    return nil
  }
}
