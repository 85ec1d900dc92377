import ArgumentParser
import CairnRuntime

// Before any other thread is there: they all inherit that the two signals are waited for, not delivered.
ProcessSignals.block()
CairnCommand.main()
