import CairnJournal
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Known idempotency keys of a session` {
  private func key(_ number: Int) -> Fingerprint {
    Fingerprint((0..<16).map { UInt8(truncatingIfNeeded: (number &* 2_654_435_761) >> (4 * $0)) })
  }

  @Test func `the known keys are those of the journal and those added since`() throws {
    let keys = KnownKeys()
    var looks = 0
    func mayHold(_ number: Int) throws -> Bool {
      try keys.mayHold(key(number)) { () throws(StoreFault) in
        looks += 1
        return [9, 3, 7].map(key)
      }
    }
    // The journal has not been read. The read below finds the keys 3, 7 and 9.
    keys.add(key(1))
    #expect(try !mayHold(2) && looks == 1)
    for number in [3, 7, 9] { #expect(try mayHold(number)) }
    for number in 100..<200 { keys.add(key(number)) }
    for number in 100..<200 { #expect(try mayHold(number) && !mayHold(number + 100)) }
    keys.add(key(150))
    #expect(try mayHold(150) && looks == 1)
  }

  @Test func `a new session has no keys, and the journal is not read`() throws {
    let keys = KnownKeys()
    keys.begin()
    #expect(
      try !keys.mayHold(key(1)) { () throws(StoreFault) in
        Issue.record("nobody has to look")
        return []
      })
  }

  @Test func `the keys are read from the journal again once too many have been added`() throws {
    let keys = KnownKeys()
    keys.begin()
    for number in 0...(2 * KeptAnswer.limit) { keys.add(key(number)) }
    var looks = 0
    func look() throws(StoreFault) -> [Fingerprint] {
      looks += 1
      return [key(5)]
    }
    #expect(try keys.mayHold(key(5), look) && looks == 1)
    #expect(try !keys.mayHold(key(6), look) && looks == 1)
  }
}
