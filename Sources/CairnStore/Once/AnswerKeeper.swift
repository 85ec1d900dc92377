import CairnCore
import CairnJournal

/// The stored responses to requests with an idempotency key. The first request runs, and its response is stored; repetitions receive this
/// response, even in the same batch. Used on the writer's thread only.
final class AnswerKeeper {
  private let parts: StoreParts
  /// The time of the next deletion of expired responses, in milliseconds since 1970; `nil` if no responses are stored.
  private(set) var forgetTime: Int?

  init(_ parts: StoreParts) {
    self.parts = parts
    forgetTime = parts.clock.now()
  }

  /// The unexpired response under a key of a session, in this batch or in the journal; otherwise `nil`.
  func kept(_ key: AnswerKey, _ staged: Staged) throws(StoreFault) -> KeptAnswer? {
    if let kept = staged.answer(key) { return kept }
    let id = staged.session.id
    guard staged.base > 0 else { return nil }
    // Another node may have stored a response under the key since. The commit detects this. After that, the keys are read again, and the
    // request runs again.
    if case .request(let name) = key {
      let mayBeThere = try staged.session.keys.mayHold(name) { () throws(StoreFault) in try parts.keys(of: id) }
      guard mayBeThere else { return nil }
    }
    return try parts.kept(key, of: id)
  }

  /// Returns the response that another node has stored under a key since the session's keys were read; `nil` if there is none. Must be
  /// called before a request under the key fails without storing a response. A commit would detect the other node's response, but such a
  /// failure has no commit.
  func keptElsewhere(_ key: AnswerKey, _ staged: Staged) throws(StoreFault) -> KeptAnswer? {
    guard parts.nodes.commitDecides, staged.base > 0, let kept = try parts.kept(key, of: staged.session.id) else {
      return nil
    }
    staged.session.keys.forget()
    return kept
  }

  /// Records a message that the session has handled, so that a repetition does not run. A message that the session ignored is not recorded,
  /// because the session may handle it later with another definition or state.
  func note(_ message: Fingerprint, of performed: [Performed], _ staged: Staged) {
    guard parts.limits.messages > 0, !performed.contains(where: { $0.transition.tookNothing }) else { return }
    let until = parts.clock.now() + parts.limits.messages
    staged.keep(KeyedAnswer(.request(message), KeptAnswer(mark: message, until: until)))
    expectExpiry(at: until)
  }

  /// Deletes some expired responses from the journal. If that fails, tries again after `pause`.
  func forgetExpired(at now: Int) {
    do {
      let next = try parts.journal.writer.forgetAnswers(expiredAt: now)
      // Expired responses are never returned, so they need not be deleted at once. A pause between deletions saves commits.
      forgetTime = next.map { $0 <= now ? now : max($0, now + Self.pause) }
    } catch {
      forgetTime = now + Self.pause
    }
  }

  /// The milliseconds between two deletions of expired responses.
  private static let pause = 10_000

  func replay(_ kept: KeptAnswer, for print: Fingerprint) throws(StoreFault) -> GivenAnswer {
    guard kept.print == print else { throw .keyReused }
    guard kept.content.status != 0 else { throw .responseForgotten }
    return GivenAnswer(content: kept.content, until: kept.until, isReplay: true, word: "replayed")
  }

  /// Stores a response with the batch. Returns it in the form in which it is sent.
  func keep(
    _ rendered: (content: RenderedAnswer, word: String), _ key: AnswerKey, _ print: Fingerprint, of staged: Staged, in batch: inout Batch
  ) -> GivenAnswer {
    let until = parts.clock.now() + parts.limits.answers
    let revision = staged.session.state.revision
    staged.keep(KeyedAnswer(key, KeptAnswer(print: print, until: until, content: rendered.content, revision: revision)))
    batch.keep(staged)
    expectExpiry(at: until)
    return GivenAnswer(content: rendered.content, until: until, isReplay: false, word: rendered.word)
  }

  private func expectExpiry(at time: Int) {
    if forgetTime == nil { forgetTime = time }
  }
}
