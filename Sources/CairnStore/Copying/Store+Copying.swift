package import CairnJournal

// Exports and imports sessions. Every `reply` is called once, on a reader's thread or the caller's thread.
extension Store {
  /// Replies with a session as a file. `file` is the name to which the file's secrets are bound. A file that would exceed `limit` bytes is refused.
  package func export(
    _ session: String, file: String, limit: Int, _ crypto: SessionFile.Crypto, while isWanted: @escaping @Sendable () -> Bool = { true },
    reply: @escaping @Sendable (Result<[UInt8], StoreFault>) -> Void
  ) {
    let read = ExportRead(session, file: file, limit: limit, crypto)
    if let fault = readers.offer(read, .past, session, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }

  /// Replies with the session of a file, validated and ready to be created with an id and a secret. `label` replaces the label of the file.
  /// Replies with `notImported` if the file is invalid or does not pass `importChecks`. Stores nothing.
  package func read(
    _ file: [UInt8], _ crypto: SessionFile.Crypto, id: String, secretHash: [UInt8], label: String?, origin: EntryOrigin,
    through importChecks: ImportChecks, while isWanted: @escaping @Sendable () -> Bool = { true },
    reply: @escaping @Sendable (Result<ImportedSession, StoreFault>) -> Void
  ) {
    let parameters = ImportRead.Parameters(
      bytes: file, crypto: crypto, id: id, secretHash: secretHash, label: label, origin: origin, importChecks: importChecks)
    if let fault = readers.offer(ImportRead(parameters), .past, id, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }

  /// Stores the entries of imported sessions before the sessions exist.
  package var imports: ImportStaging { ImportStaging(parts) }

  /// Computes a value on a reader's thread. Values with the same key are computed one after the other.
  package func compute<Value: Sendable>(
    _ key: String, while isWanted: @escaping @Sendable () -> Bool = { true }, _ make: @escaping @Sendable () -> Value,
    reply: @escaping @Sendable (Result<Value, StoreFault>) -> Void
  ) {
    let read = SingleRead { (_) throws(StoreFault) in make() }
    if let fault = readers.offer(read, .past, key, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }
}
