import ArgumentParser
import CairnRuntime

// Before anything opens a file, which would get a closed stream's number and then its lines.
StandardStreams.fill()
CairnCommand.main()
