import ArgumentParser
import CairnRuntime

// Runs before any file is opened. Otherwise a file could get the descriptor of a closed standard stream, and the output of the stream would
// be written into the file.
StandardStreams.fill()
if let hint = CommandHint.text(Array(CommandLine.arguments.dropFirst())) {
  Terminal.complain("cairn: \(hint)")
  CairnCommand.exit(withError: ExitCode.validationFailure)
}
CairnCommand.main()
