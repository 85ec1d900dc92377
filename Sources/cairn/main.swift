import ArgumentParser
import CairnRuntime

// Before anything opens a file, which would get a closed stream's number and then its lines.
StandardStreams.fill()
if let hint = CommandHint.text(Array(CommandLine.arguments.dropFirst())) {
  Terminal.complain("cairn: \(hint)")
  CairnCommand.exit(withError: ExitCode.validationFailure)
}
CairnCommand.main()
