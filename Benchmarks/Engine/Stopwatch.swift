import Foundation
import Glibc

/// Seconds of CPU time that this process has used. Unlike elapsed time, it does not depend on other processes of the machine.
func cpuTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs `work` for about half a second five times; prints the median, the lowest and the highest.
func measure(_ work: Work) throws {
  let call = try work.prepare()
  try call()
  var figures: [Double] = []
  for _ in 0..<5 {
    let start = cpuTime()
    var calls = 0
    var elapsed = 0.0
    while elapsed < 0.5 {
      for _ in 0..<(work.isLong ? 1 : 20) { try call() }
      calls += work.isLong ? 1 : 20
      elapsed = cpuTime() - start
    }
    figures.append(work.isLong ? elapsed / Double(calls) * 1e3 : Double(calls * work.actions) / elapsed)
  }
  figures.sort()
  let texts = figures.map { String(format: work.isLong ? "%.2f" : "%.0f", $0) }
  let name = work.name.padding(toLength: 56, withPad: " ", startingAt: 0)
  print("\(name)  \(texts[2]) \(work.isLong ? "ms" : "a second")  (\(texts[0])-\(texts[4]))")
}
