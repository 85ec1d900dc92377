import CBuild
import CairnRuntime

// Runs before any file is opened. Otherwise a file could get the descriptor of a closed standard stream, and the output of the stream would
// be written into the file.
StandardStreams.fill()
// The first argument is the name of the program.
CairnCommand.start((0..<cairn_argument_count()).dropFirst().map { String(cString: cairn_argument($0)) })
