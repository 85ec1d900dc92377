import CairnCore
import CairnCrypto
import CairnJournal

/// Lists deletions and forgotten histories before their commit, so that they can be repeated after a restore of the database.
struct CommitErasures {
  /// The list; `nil` if the journal is opened for a copy.
  let list: SharedErasureList?
  let faults: BackgroundFaults

  /// The listed erasures of a batch: for each, the session's number and the erasure's number in the list.
  struct Listed {
    fileprivate var numbers: [(session: Int, number: Int)] = []
  }

  /// Adds the erasures of a commit to the list, before the commit.
  func list(_ writes: [CommitStatement.Write], _ deletions: [CommitStatement.Deletion]) throws(JournalError) -> Listed {
    guard let erasures = list else { return Listed() }
    var all = deletions.map { Erasure(session: $0.number, id: TextDigest.bytes(of: $0.id), revision: nil) }
    for write in writes {
      guard let past = write.beginning?.past, let number = write.number else { continue }
      all.append(Erasure(session: number, id: TextDigest.bytes(of: write.write.record.id), revision: past.revision))
    }
    guard !all.isEmpty else { return Listed() }
    do {
      return Listed(numbers: Array(zip(all.map(\.session), try erasures.add(all))))
    } catch {
      throw .io("the list of erasures in \(erasures.target.name) cannot be written: \(error)")
    }
  }

  /// Records which of the listed erasures were committed. `committed` contains the numbers of their sessions; `nil` if the result is
  /// unknown. If the record cannot be written, the next processing of the list determines the result.
  func settle(_ listed: Listed, committed: Set<Int>?) {
    guard let erasures = list, let committed, !listed.numbers.isEmpty else { return }
    let done = listed.numbers.filter { committed.contains($0.session) }.map(\.number)
    let dropped = listed.numbers.filter { !committed.contains($0.session) }.map(\.number)
    do { try erasures.settle(done: done, dropped: dropped) } catch { faults.note(.erasure, "the list of erasures: \(error)") }
  }
}
