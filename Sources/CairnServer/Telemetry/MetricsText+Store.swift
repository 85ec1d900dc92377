import CairnStore

// What the store and its journal tell of themselves.
extension MetricsText {
  /// Readers, commits, the cache, effects, the journal's files, and what is still to be erased.
  mutating func store(_ store: StoreFigures) {
    let lanes = ["state", "past", "list"]
    family("cairn_reads_waiting", "gauge", "Reads that wait: newest states, old revisions and history, lists.")
    for (lane, depth) in zip(lanes, store.readDepths) { sample("cairn_reads_waiting", ["lane": lane], depth) }
    durations(
      "cairn_read_wait_seconds", "How long reads waited for their first step.", zip(lanes, store.readWaits).map { (["lane": $0], $1) })
    single("cairn_reads_dropped_total", "counter", "Reads given up since their client had left.", store.readsDropped)
    durations("cairn_commit_seconds", "How long the journal took for a commit, until it was on disk.", [([:], store.commitTimes)])
    durations(
      "cairn_checkpoint_seconds", "How long the writer was held to begin the log of writes anew, or to empty it.",
      [([:], store.journal.checkpoints)])
    single("cairn_database_bytes", "gauge", "Size of the database's file.", store.journal.databaseBytes)
    single("cairn_log_bytes", "gauge", "Size of the log of writes beside it.", store.journal.logBytes)
    single("cairn_cache_bytes", "gauge", "Sessions in memory, by estimate.", store.cacheBytes)
    family("cairn_effects_late_seconds", "gauge", "By how much the next effect is late.")
    sample("cairn_effects_late_seconds", [:], "\(Double(store.effectsLate) / 1e3)")
    single("cairn_sessions_expired_total", "counter", "Sessions that ended since their time was over.", store.expired)
    single("cairn_sessions_damaged", "gauge", "Sessions that were found to be unreadable.", store.damaged)
    single("cairn_erasures_pending", "gauge", "1 while something that was deleted is still in the files.", store.journal.isErasing ? 1 : 0)
    family("cairn_erasure_age_seconds", "gauge", "For how long the oldest of it has been there.")
    sample("cairn_erasure_age_seconds", [:], "\(Double(store.journal.erasureAge) / 1e9)")
    single("cairn_erasure_faults_total", "counter", "Erasures that failed and were tried again.", store.journal.erasureFaults)
  }
}
