import Foundation

// The engine alone, one thread: what a second of CPU is worth before HTTP and the disk take their share.
// usage: engine [WORD …]             measures what has one of the words in its name, or all
//        engine --names              prints the names, and the actions in a call
//        engine --calls COUNT NAME   does that one, COUNT times, and says nothing: for a counter (Benchmarks/thresholds)

let works = reduceWorks + jsonWorks
let words = Array(CommandLine.arguments.dropFirst())

switch words.first {
case "--names":
  for work in works { print(work.actions, work.name) }
case "--calls":
  guard words.count == 3, let calls = Int(words[1]), let work = works.first(where: { $0.name == words[2] }) else {
    FileHandle.standardError.write(Data("engine: --calls COUNT NAME\n".utf8))
    exit(2)
  }
  let call = try work.prepare()
  for _ in 0..<calls { try call() }
default:
  for work in works where words.isEmpty || words.contains(where: work.name.contains) { try measure(work) }
}
