import CairnRuntime

// Runs before any file is opened. Otherwise a file could get the descriptor of a closed standard stream, and the output of the stream would
// be written into the file.
StandardStreams.fill()
CairnCommand.start(Array(CommandLine.arguments.dropFirst()))
