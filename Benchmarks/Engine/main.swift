import Foundation

// Measures only the engine, on one thread: the work per CPU second without HTTP and the disk.
// usage: engine [WORD …]             measures the works with one of the words in their names, or all
//        engine --names              prints the names, and the actions per call
//        engine --calls COUNT NAME   runs that work COUNT times and prints nothing, for an instruction counter (Benchmarks/thresholds)

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
