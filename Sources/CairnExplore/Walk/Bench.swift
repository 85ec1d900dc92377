import CairnCore
import CairnRuntime

/// Runs scouts in parallel, each on its own thread. They explore the parts of one level.
enum Bench {
  /// Explores the parts, and returns the results in the order of the parts. States that remain at the
  /// deadline are skipped. Throws if a thread cannot be started.
  static func explore(
    _ parts: [ArraySlice<Frontier>], by scouts: [Scout], on ground: Ground, known: Reached, until deadline: UInt64?
  ) throws(ThreadError) -> [Expansion] {
    let shared = Lock(Shared(found: Array(repeating: Expansion(), count: parts.count)))
    let work = { @Sendable (scout: Scout) in
      while let index = shared.withLock({ $0.take() }) {
        let found = scout.explore(parts[index], on: ground, known: known, until: deadline)
        shared.withLock { $0.found[index] = found }
      }
    }
    if parts.count == 1 {
      work(scouts[0])
    } else {
      var threads: [NamedThread] = []
      for scout in scouts {
        do throws(ThreadError) {
          threads.append(try NamedThread("explore") { work(scout) })
        } catch {
          for thread in threads { thread.join() }
          throw error
        }
      }
      for thread in threads { thread.join() }
    }
    return shared.withLock { $0.found }
  }

  /// The next part to explore, and the results.
  private struct Shared: Sendable {
    var next = 0
    var found: [Expansion]

    mutating func take() -> Int? {
      guard next < found.count else { return nil }
      next += 1
      return next - 1
    }
  }
}
