import CairnCore
import Foundation

extension KeptSession {
  /// Reads a file, and reports the parts that cannot be used. Returns `nil` if the file does not exist, or if none of its content can be
  /// used.
  static func read(_ keeping: SessionKeeping) -> KeptSession? {
    guard let data = try? Data(contentsOf: keeping.file) else { return nil }
    // Text after the last line break belongs to a truncated line, and is ignored.
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { json(Array($0)) }
    guard let head = lines.first, head["cairn"] == "session" else {
      keeping.onNotice("stored content is discarded: it was not stored by this client")
      return nil
    }
    guard head["format"] == .integer(format) else {
      let found = head["format"]?.shortText ?? "none"
      keeping.onNotice("stored content is discarded: it has the format \(found), not \(format)")
      return nil
    }
    guard var kept = KeptSession(head: head), case .integer(let pending)? = head["pending"], case .integer(let groups)? = head["groups"]
    else {
      keeping.onNotice("stored content is discarded: a part of it is missing")
      return nil
    }
    var wrong: [String] = []
    kept.readPending(lines.dropFirst().prefix(max(0, pending)), count: pending, &wrong)
    kept.groups = lines.dropFirst(1 + max(0, pending)).prefix(max(0, groups)).compactMap { KeptGroup($0) }
    if kept.groups.count < groups { wrong.append("\(groups - kept.groups.count) groups of refused actions cannot be read") }
    if head["hasState"] == true {
      // A state in the format of another client version is not used; the client reads the state from the service instead.
      let line = lines.dropFirst(1 + max(0, pending) + max(0, groups)).first
      if line?["engine"] == nil || isOfThisBuild(line) { kept.replica = line.flatMap { KeptReplica($0) } }
      if kept.replica == nil { wrong.append(isOfThisBuild(line) || line?["engine"] == nil ? "the state cannot be read" : otherBuild) }
    }
    if !wrong.isEmpty { keeping.onNotice("stored content is discarded in part: \(wrong.joined(separator: "; "))") }
    return kept
  }

  /// Reads the stored content of a session; `nil` if nothing can be used. If the file belongs to another session, returns only the groups
  /// of the file. The waiting actions of that other session are added as a group.
  static func read(_ keeping: SessionKeeping, of session: SessionClient, now: Int) -> KeptSession? {
    guard let kept = read(keeping) else { return nil }
    let service = session.requests.wire.base
    guard kept.service != service || kept.id != session.id else { return kept }
    keeping.onNotice("stored content is discarded: it belongs to another session or service")
    var refused = RefusedGroups(session: kept.id, client: kept.client, kept.groups, last: kept.lastRefusal)
    let reason = RefusedGroups.Reason(code: "over", detail: "another session uses the file", isOver: true)
    var group: String?
    for var item in kept.pending {
      item.isSent = true
      group = refused.add(item, reason, with: group, next: kept.next, now: now)
    }
    var other = KeptSession(service: service, id: session.id, client: NumberedPosts.newClient())
    other.groups = refused.kept
    return other
  }

  private static let otherBuild = "the state is of another version of this client"

  private static func isOfThisBuild(_ line: Value?) -> Bool {
    line?["engine"] == .integer(Int(Reducer.engine)) && line?["format"] == .integer(ReplicaFormat.version)
  }

  private static func json(_ line: [UInt8]) -> Value { (try? JSONDocument.read(line, depthLimit: 128) { $0.value }) ?? .null }

  /// Reads the members of the first line. Returns `nil` if a required member is missing.
  private init?(head: Value) {
    guard case .string(let service)? = head["service"], case .string(let id)? = head["id"], case .string(let client)? = head["client"],
      case .integer(let next)? = head["next"], next > 0
    else { return nil }
    self.init(service: service, id: id, client: client, next: next)
    if case .string(let secret)? = head["secret"] { self.secret = secret }
    (isOver, isSecretForgotten) = (head["isOver"] == true, head["isSecretForgotten"] == true)
    if case .string(let key)? = head.at(["sealing", "key"]), case .integer(let at)? = head.at(["sealing", "at"]) {
      sealingKey = SealingKey(key, at: at)
    }
    if case .string(let group)? = head.at(["lastRefusal", "group"]), case .integer(let below)? = head.at(["lastRefusal", "below"]) {
      lastRefusal = RefusedGroups.Last(group: group, below: below)
    }
    guard case .array(let pairs)? = head["names"] else { return }
    for case .array(let pair) in pairs where pair.count == 2 {
      if let name = NodeNames.Name(pair[0]), case .string(let text) = pair[1], let node = NodeID(text) { names[name] = node }
    }
  }

  /// Reads the waiting actions before the first one that cannot be read. Later actions are dropped, because they may depend on it. Adds a
  /// message to `wrong` if actions are dropped.
  private mutating func readPending(_ lines: ArraySlice<Value>, count: Int, _ wrong: inout [String]) {
    for line in lines {
      guard case .object? = line["action"], case .integer(let number)? = line["number"], number > pending.last?.number ?? 0, number < next,
        case .integer(let at)? = line["at"], case .string(let definition)? = line["definition"], let posted = line["action"]
      else { break }
      pending.append(
        QueuedAction(
          number: number, action: SessionAction(QueuedAction.content(of: posted)), posted: posted, isKept: true, isStored: true, at: at,
          definition: definition, end: nil))
    }
    if pending.count < count {
      let place = ["first", "second", "third"].dropFirst(pending.count).first ?? "\(pending.count + 1)th"
      wrong.append("the pending actions from the \(place) on cannot be read")
    }
  }
}

extension KeptGroup {
  fileprivate init?(_ line: Value) {
    guard case .string(let id)? = line["group"], case .string(let session)? = line["session"], case .string(let client)? = line["client"],
      case .integer(let at)? = line["at"], case .string(let code)? = line["code"], case .array(let actions)? = line["actions"]
    else { return nil }
    self.init(id: id, session: session, client: client, at: at, code: code)
    if case .string(let detail)? = line["detail"] { self.detail = detail }
    for action in actions {
      guard case .integer(let number)? = action["number"], case .integer(let at)? = action["at"],
        case .string(let definition)? = action["definition"]
      else { return nil }
      let isRun = action["mayHaveRun"] == true
      items.append(Item(number: number, at: at, action: action["action"], definition: definition, mayHaveRun: isRun))
    }
  }
}

extension KeptSession.KeptReplica {
  fileprivate init?(_ line: Value) {
    guard case .string(let definition)? = line["definition"], case .string(let text)? = line["text"],
      case .string(let state)? = line["state"], case .string(let covers)? = line["covers"], case .integer(let last)? = line["last"]
    else { return nil }
    self.init(definition: definition, text: Array(text.utf8), state: .text(Array(state.utf8)), covers: Array(covers.utf8), last: last)
  }
}
