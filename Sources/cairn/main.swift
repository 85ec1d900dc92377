import ArgumentParser
import CairnRuntime

// Runs before any file is opened. A file could otherwise get the number of a closed standard stream, and then the stream's output.
StandardStreams.fill()
if let hint = CommandHint.text(Array(CommandLine.arguments.dropFirst())) {
  Terminal.complain("cairn: \(hint)")
  CairnCommand.exit(withError: ExitCode.validationFailure)
}
CairnCommand.main()
