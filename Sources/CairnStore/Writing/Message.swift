import CairnCore

/// Receives the result of a command. Called once.
typealias Reply<Answer> = @Sendable (Result<Answer, StoreFault>) -> Void

/// A message to the writer.
enum Message: Sendable {
  case create(NewSession, Reply<Created>)
  case post(
    [Command], madeFor: ClientDefinition?, session: String, matching: [RevisionTag]?, message: Fingerprint?, origin: EntryOrigin,
    Reply<Posted>)
  case createOnce(KeyedCreation, Reply<GivenAnswer>)
  case postOnce(KeyedPost, Reply<GivenAnswer>)
  case postNumbered(NumberedPost, Reply<NumberedAnswers>)
  case delete(session: String, matching: [RevisionTag]?, Reply<Void>)
  /// Stores editions, with the texts of their definitions by hash.
  case publish([Edition], texts: [String: String], after: KnownEditions, with: RolloutChange?, Reply<Void>)
  case keepMigration(StoredMigration, Reply<Void>)
  case alter(Alteration, session: String, matching: [RevisionTag]?, origin: EntryOrigin, Reply<Posted>)
  /// Forgets a part of a session's history. Replies with the first revision that can be read.
  case forget(Forgetting, session: String, matching: [RevisionTag]?, Reply<Int>)
  /// Ends a session if it has expired.
  case expire(session: String, Reply<Void>)
  /// The n-th tick of a timer, or the end of a known value's delay.
  case due(EffectKey, tick: Int)
  /// The end of an outgoing call.
  case ended(EffectKey, OutboundResult)
  /// A call that could not be prepared and is tried again.
  case again(EffectKey)
  /// A load that needs another token than this one, which is identified by the number of token writes.
  case refresh(EffectKey, token: Int)

  /// The session of a client's message, and whether the message may take long; `nil` for the service's own messages.
  var request: (session: String, isLong: Bool)? {
    switch self {
    case .post(let commands, _, let session, _, _, _, _): (session, Self.isLong(commands))
    case .postOnce(let post, _): (post.session, Self.isLong(post.commands))
    case .postNumbered(let post, _): (post.session, Self.isLong(post.actions.map(\.command)))
    case .createOnce(let creation, _): (creation.new.id, false)
    case .delete(let session, _, _): (session, false)
    case .expire(let session, _): (session, false)
    case .create(let new, _): (new.id, false)
    case .alter(_, let session, _, _, _): (session, false)
    case .forget(_, let session, _, _): (session, false)
    case .publish, .keepMigration, .due, .ended, .again, .refresh: nil
    }
  }

  /// The session that the message is about; `nil` if it is about none.
  var session: String? {
    switch self {
    case .publish, .keepMigration: nil
    case .due(let key, _), .ended(let key, _), .again(let key), .refresh(let key, _): key.session
    case .create, .post, .createOnce, .postOnce, .postNumbered, .delete, .expire, .alter, .forget: request?.session
    }
  }

  /// The existing session that the message changes; `nil` if there is none.
  var changedSession: String? {
    switch self {
    case .create, .createOnce, .publish, .keepMigration, .again: nil
    case .post, .postOnce, .postNumbered, .delete, .alter, .forget, .expire, .due, .ended, .refresh: session
    }
  }

  private static func isLong(_ commands: [Command]) -> Bool { commands.count > 16 || commands.contains(where: \.isAdvance) }

  /// Replies with a fault to a client's message that has not been run.
  func refuse(_ fault: StoreFault) {
    switch self {
    case .create(_, let reply): reply(.failure(fault))
    case .post(_, _, _, _, _, _, let reply): reply(.failure(fault))
    case .createOnce(_, let reply): reply(.failure(fault))
    case .postOnce(_, let reply): reply(.failure(fault))
    case .postNumbered(_, let reply): reply(.failure(fault))
    case .delete(_, _, let reply): reply(.failure(fault))
    case .expire(_, let reply): reply(.failure(fault))
    case .publish(_, _, _, _, let reply): reply(.failure(fault))
    case .keepMigration(_, let reply): reply(.failure(fault))
    case .alter(_, _, _, _, let reply): reply(.failure(fault))
    case .forget(_, _, _, let reply): reply(.failure(fault))
    case .due, .ended, .again, .refresh: break
    }
  }

  var isExternal: Bool {
    switch self {
    case .create, .post, .createOnce, .postOnce, .postNumbered, .delete, .expire, .publish, .keepMigration, .alter, .forget: true
    case .due, .ended, .again, .refresh: false
    }
  }
}

extension Command {
  /// Whether the command advances a manual clock, which can run many effects.
  fileprivate var isAdvance: Bool {
    if case .advance = self { true } else { false }
  }
}
