import CairnFuzz
import Glibc

/// libFuzzer's entry point. It parses its own arguments, and calls back with each input until it is stopped.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ takeOne: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// The first argument is the name of the input; the others are libFuzzer's.
nonisolated(unsafe) var input = FuzzInput.action
guard CommandLine.argc > 1, let named = FuzzInput(rawValue: CommandLine.arguments[1]) else {
  print("usage: fuzz \(FuzzInput.allCases.map(\.rawValue).joined(separator: "|")) [what libFuzzer takes]")
  exit(2)
}
input = named
var arguments = CommandLine.unsafeArgv.advanced(by: 1)
var count = CommandLine.argc - 1
exit(
  runFuzzer(&count, &arguments) { start, count in
    let broken = input.broken(by: Array(UnsafeBufferPointer(start: start, count: count)))
    if !broken.isEmpty { fatalError(broken.joined(separator: "\n")) }
    return 0
  })
