package import CairnCore

/// An entry as stored in the journal, with the difference of the state. Immutable. A class, so that passing an entry from the session to the batch and to the
/// database copies only a reference.
package final class JournalEntry: Sendable {
  package let entry: Entry
  /// The value of `Reducer.engine` when the entry was created.
  package let engine: Int
  /// The value of `CauseFormat.version` when the entry was written.
  package let format: Int
  /// The cause, with the author and the optional parts of the stamp, in `CauseFormat`.
  package let cause: [UInt8]
  /// The difference from the previous state, in `StateFormat`. The difference of the first entry starts from `StateFormat.empty`.
  package let difference: [UInt8]
  /// The time at which the session's next effect is due, in milliseconds since 1970; 0 if it is due immediately. `nil` if no effect of the session depends on
  /// the machine's clock.
  package let due: Int?
  /// The hash of the session's definition and the session's label, if the entry set them; otherwise `nil`. The first entry sets the
  /// definition, and the label if the session has one.
  package let definition, label: String?
  /// A keyed hash of this entry and the previous entry's hash. The first entry uses the hash of the session's unchanging part instead.
  package let hash: UInt64

  /// Creates an entry. `cause` is the stored cause; if it is `nil`, the cause is encoded from the entry.
  package init(
    _ entry: Entry, engine: Int = Reducer.engine, format: Int = CauseFormat.version, cause: [UInt8]? = nil, difference: [UInt8],
    due: Int? = nil, definition: String? = nil, label: String? = nil, hash: UInt64 = 0
  ) {
    self.entry = entry
    self.engine = engine
    self.format = format
    self.cause = cause ?? CauseFormat.bytes(entry)
    self.difference = difference
    self.due = due
    self.definition = definition
    self.label = label
    self.hash = hash
  }

  /// Creates the entry for a transition between two states. Without `transition` the states are compared. `seal` contains the previous entry's hash
  /// and the hash key; without it the hash is 0.
  package init(
    _ entry: Entry, from before: State, to after: State, by transition: Transition? = nil, definition: String? = nil, label: String? = nil,
    seal: (previous: UInt64, key: SipHash.Key)? = nil
  ) {
    self.entry = entry
    engine = Reducer.engine
    format = CauseFormat.version
    cause = CauseFormat.bytes(entry)
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

  /// The hash that the entry must have after an entry with the hash `previous`.
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
    // Each hashed word costs about 40 instructions per action, so small numbers share a word, and so do the lengths of the fields.
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

extension SessionIdentity {
  /// The initial value of the hash chain, which covers the unchanging part of the session.
  package func hash(_ key: SipHash.Key) -> UInt64 {
    var hash = SipHash(key)
    hash.combine(id)
    hash.combine(app)
    hash.combine(createdAt)
    hash.combine(field: secretHash)
    return hash.finish()
  }
}
