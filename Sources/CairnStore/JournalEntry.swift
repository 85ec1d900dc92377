package import CairnCore

/// An entry as the journal keeps it, with what it changed in the state. Immutable. An object, because it goes from the session to the
/// batch and to the database.
package final class JournalEntry: Sendable {
  package let entry: Entry
  /// `Reducer.engine` when it was made.
  package let engine: Int
  /// `CauseFormat.version` when it was written.
  package let format: Int
  /// Its cause and author as they are stored, in `CauseFormat`.
  package let cause: [UInt8]
  /// In `StateFormat`, from the state before; the first entry's from `StateFormat.empty`.
  package let difference: [UInt8]
  /// When the session's effects have to be looked at after it, milliseconds since 1970, 0 for at once; nil: it has none, or none by
  /// this clock.
  package let due: Int?
  /// The hash of the session's definition and its label, if this entry set them; the first one does.
  package let definition, label: String?
  /// Keyed hash of the previous entry's hash and of this entry; for the first entry of the session's unchanging part instead.
  package let hash: UInt64

  /// `cause`: the stored bytes; nil: they are made of the entry.
  package init(
    _ entry: Entry, engine: Int = Reducer.engine, format: Int = CauseFormat.version, cause: [UInt8]? = nil, difference: [UInt8],
    due: Int? = nil, definition: String? = nil, label: String? = nil, hash: UInt64 = 0
  ) {
    self.entry = entry
    self.engine = engine
    self.format = format
    self.cause = cause ?? CauseFormat.bytes(entry.cause, author: entry.author)
    self.difference = difference
    self.due = due
    self.definition = definition
    self.label = label
    self.hash = hash
  }

  /// The entry that led from a state to another. `transition`: what its action did; nil: the states are compared. `seal`: the hash that the
  /// entry follows, with the key of the hashes; nil: the hash is 0.
  package init(
    _ entry: Entry, from before: State, to after: State, by transition: Transition? = nil, definition: String? = nil, label: String? = nil,
    seal: (previous: UInt64, key: SipHash.Key)? = nil
  ) {
    self.entry = entry
    engine = Reducer.engine
    format = CauseFormat.version
    cause = CauseFormat.bytes(entry.cause, author: entry.author)
    difference = StateFormat.difference(from: before, to: after, by: transition)
    due = after.wakeTime
    self.definition = definition
    self.label = label
    if let seal {
      hash = Self.hash(entry, engine, format, cause, difference, due, definition, label, after: seal.previous, seal.key)
    } else {
      hash = 0
    }
  }

  /// The hash that the entry must have if it follows an entry with the hash `previous`.
  package func hash(after previous: UInt64, _ key: SipHash.Key) -> UInt64 {
    Self.hash(entry, engine, format, cause, difference, due, definition, label, after: previous, key)
  }

  private static func hash(
    _ entry: Entry, _ engine: Int, _ format: Int, _ cause: [UInt8], _ difference: [UInt8], _ due: Int?, _ definition: String?,
    _ label: String?, after previous: UInt64, _ key: SipHash.Key
  ) -> UInt64 {
    var hash = SipHash(key)
    hash.combine(previous)
    let given = (due == nil ? 0 : 1) | (definition == nil ? 0 : 2) | (label == nil ? 0 : 4) | (entry.request == nil ? 0 : 8)
    // Each word costs some 40 instructions of every action: small numbers share one, and so do the counts of the fields.
    hash.combine(entry.revision, engine, format, given)
    hash.combine(entry.stamp.time)
    hash.combine(entry.stamp.nonce.utf8.count, entry.request?.utf8.count ?? 0, cause.count, difference.count)
    if let due { hash.combine(due) }
    if let definition { hash.combine(field: Array(definition.utf8)) }
    if let label { hash.combine(field: Array(label.utf8)) }
    hash.combine(padded: entry.stamp.nonce)
    if let request = entry.request { hash.combine(padded: request) }
    hash.combine(padded: cause)
    hash.combine(padded: difference)
    return hash.finish()
  }
}

extension JournalEntry: Hashable {
  package static func == (one: JournalEntry, other: JournalEntry) -> Bool {
    one.hash == other.hash && one.entry == other.entry && one.engine == other.engine && one.format == other.format
      && one.cause == other.cause && one.difference == other.difference && one.due == other.due && one.definition == other.definition
      && one.label == other.label
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
    hasher.combine(entry.revision)
  }
}

extension Birth {
  /// The start of the hash of the session's first entry: it covers the part that is written once.
  package func hash(_ key: SipHash.Key) -> UInt64 {
    var hash = SipHash(key)
    hash.combine(id)
    hash.combine(app)
    hash.combine(createdAt)
    hash.combine(field: secretHash)
    return hash.finish()
  }
}
