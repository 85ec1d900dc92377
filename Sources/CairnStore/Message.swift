import CairnCore

/// How an answer goes back; called once.
typealias Reply<Answer> = @Sendable (Result<Answer, StoreFault>) -> Void

/// A message to the writer.
enum Message: Sendable {
  case create(NewSession, Reply<Created>)
  case post([Command], session: String, matching: [RevisionTag]?, message: Fingerprint?, origin: EntryOrigin, Reply<Posted>)
  case createOnce(KeyedCreation, Reply<GivenAnswer>)
  case postOnce(KeyedPost, Reply<GivenAnswer>)
  case delete(session: String, matching: [RevisionTag]?, Reply<Void>)
  /// Keeps editions, with the texts of their definitions by hash.
  case publish([Edition], texts: [String: String], Reply<Void>)
  /// Ends a session if it has expired.
  case expire(session: String, Reply<Void>)
  /// A timer ticked for the n-th time, or a known value's delay has passed.
  case due(EffectKey, tick: Int)
  /// A call that left the machine ended.
  case ended(EffectKey, OutboundResult)
  /// A call that could not be made is to be made now.
  case again(EffectKey)

  /// The session of a client's message, and whether the message looks long from outside; `nil` for the service's own messages.
  var request: (session: String, isLong: Bool)? {
    switch self {
    case .post(let commands, let session, _, _, _, _): (session, Self.isLong(commands))
    case .postOnce(let post, _): (post.session, Self.isLong(post.commands))
    case .createOnce(let creation, _): (creation.new.id, false)
    case .delete(let session, _, _): (session, false)
    case .expire(let session, _): (session, false)
    case .create(let new, _): (new.id, false)
    case .publish, .due, .ended, .again: nil
    }
  }

  private static func isLong(_ commands: [Command]) -> Bool { commands.count > 16 || commands.contains(where: \.isAdvance) }

  /// Answers a client's request with a fault, without having begun it.
  func refuse(_ fault: StoreFault) {
    switch self {
    case .create(_, let reply): reply(.failure(fault))
    case .post(_, _, _, _, _, let reply): reply(.failure(fault))
    case .createOnce(_, let reply): reply(.failure(fault))
    case .postOnce(_, let reply): reply(.failure(fault))
    case .delete(_, _, let reply): reply(.failure(fault))
    case .expire(_, let reply): reply(.failure(fault))
    case .publish(_, _, let reply): reply(.failure(fault))
    case .due, .ended, .again: break
    }
  }

  var isExternal: Bool {
    switch self {
    case .create, .post, .createOnce, .postOnce, .delete, .expire, .publish: true
    case .due, .ended, .again: false
    }
  }
}

extension Command {
  /// It moves a manual clock, over as many effects as are due.
  fileprivate var isAdvance: Bool {
    if case .advance = self { true } else { false }
  }
}
