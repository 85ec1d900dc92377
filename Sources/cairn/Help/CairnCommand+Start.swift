import ArgumentParser
import Glibc

extension CairnCommand {
  /// Runs the command that the arguments name, and ends the process with its exit code. `arguments` does not contain the program's name.
  static func start(_ arguments: [String]) -> Never {
    if arguments.count == 2, Set(arguments) == ["--version", "--verbose"] {
      Terminal.print(BuildReport.current.text)
      exit()
    }
    if let hint = CommandHint.text(arguments) { end(hint) }
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(arguments)
    } catch {
      if exitCode(for: error) == .validationFailure, let hint = CommandHint.option(arguments, message: message(for: error)) { end(hint) }
      end(error)
    }
    do {
      try command.run()
    } catch let error as ValidationError {
      // The argument parser does not know which command has thrown, and would print the usage of the program.
      end("\(error.message)\n  See '\(CommandHint.path(arguments)) --help' for more information.")
    } catch {
      end(error)
    }
    exit()
  }

  private static func end(_ hint: String) -> Never {
    Terminal.complain("cairn: \(hint)")
    exit(withError: ExitCode.validationFailure)
  }

  /// Prints what `exit(withError:)` of the argument parser prints, with colours on a terminal.
  private static func end(_ error: any Error) -> Never {
    let (text, code) = (fullMessage(for: error), exitCode(for: error))
    if !text.isEmpty {
      if code == .success {
        Terminal.print(HelpText.printed(text, hasColour: DrawingStyle.hasColour(on: STDOUT_FILENO)))
      } else {
        Terminal.complain(HelpText.printed(text, hasColour: DrawingStyle.hasColour(on: STDERR_FILENO)))
      }
    }
    exit(withError: code)
  }
}
