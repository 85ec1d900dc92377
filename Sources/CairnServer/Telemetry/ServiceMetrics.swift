import CairnHTTP
import CairnRuntime
import CairnStore

/// The metrics other than those of requests. A new metric needs a row here and one in docs/operations.md; a test compares the two.
final class ServiceMetrics: Sendable {
  private let store: Store
  private let catalog: Catalog
  private let streams: Streams
  private let telemetry: Telemetry
  private let inFlight: InFlight
  private let settings: Settings
  private let front = Lock<(@Sendable () -> Server.Counts?)?>(nil)

  init(_ store: Store, _ catalog: Catalog, _ streams: Streams, _ telemetry: Telemetry, _ inFlight: InFlight, _ settings: Settings) {
    self.store = store
    self.catalog = catalog
    self.streams = streams
    self.telemetry = telemetry
    self.inFlight = inFlight
    self.settings = settings
  }

  /// Sets the source of the HTTP server's metrics.
  func report(_ counts: @escaping @Sendable () -> Server.Counts?) { front.withLock { $0 = counts } }

  /// The metrics of the HTTP server; `nil` if no server is set.
  private func connections() -> Server.Counts? { front.withLock { $0 }.flatMap { $0() } }

  /// All metrics except those of requests, in the order of the output.
  var all: [Metric] { frontMetrics + storeMetrics(store.figures) + streamMetrics + rolloutMetrics + ownMetrics + settings.figures() }

  private var frontMetrics: [Metric] {
    var metrics = [Metric("cairn_http_requests_in_flight", .gauge, "Requests under way.", inFlight.count)]
    if let http = connections() {
      metrics += [
        Metric("cairn_http_connections", .gauge, "Connections open.", http.connections),
        Metric("cairn_http_streams", .gauge, "Streams open, each on a connection of its own.", http.streams),
        Metric("cairn_http_connections_cut_total", .counter, "Connections cut off since their client was too slow.", http.cut),
        Metric("cairn_http_connections_refused_total", .counter, "Connections not let in since there were too many.", http.refused),
      ]
    }
    return metrics
  }

  private func storeMetrics(_ store: StoreFigures) -> [Metric] {
    [
      Metric("cairn_commits_total", .counter, "Commits of the journal.", store.commits),
      Metric("cairn_committed_actions_total", .counter, "Entries in all commits.", store.committedActions),
      Metric("cairn_commit_batch_size_max", .gauge, "Most entries in one commit since the start.", store.largestBatch),
      Metric("cairn_commit_conflicts_total", .counter, "Sessions that another node had changed before a commit.", store.conflicts),
      Metric("cairn_reruns_total", .counter, "Requests that ran again since another node had changed their session.", store.reruns),
      Metric("cairn_contended_total", .counter, "Requests rejected since their session changed again and again.", store.contended),
      Metric("cairn_uncertain_total", .counter, "Commits that were lost together with the connection to the database.", store.uncertain),
      Metric(
        "cairn_lost_revisions_total", .counter,
        "Revisions that this node knew and the database has lost in a failover, at least so many.", store.lostRevisions),
      Metric("cairn_queue_depth", .gauge, "Commands that wait for the writer.", store.queueDepth),
      Metric("cairn_queue_limit", .gauge, "Commands that may wait for the writer.", store.queueLimit),
      Metric("cairn_sessions", .gauge, "Sessions in the journal.", store.sessions),
      Metric("cairn_sessions_checked_total", .counter, "Sessions that were looked at for damage.", store.checked),
      Metric("cairn_journal_up", .gauge, "1 while the journal can be written.", store.journalFault == nil ? 1 : 0),
      Metric("cairn_commit_seconds", "How long the journal took for a commit, until it was on disk.", store.commitTimes),
      Metric("cairn_cache_bytes", .gauge, "Sessions in memory, by estimate.", store.cacheBytes),
      Metric("cairn_effects_late_seconds", .gauge, "By how much the next effect is late.", [.init([:], Double(store.effectsLate) / 1e3)]),
      Metric("cairn_sessions_expired_total", .counter, "Expired sessions.", store.expired),
      Metric("cairn_expiry_held", .gauge, "1 while expired sessions are kept.", store.isExpiryHeld ? 1 : 0),
      Metric("cairn_sessions_damaged", .gauge, "Sessions known to be damaged.", store.damaged),
      Metric(
        "cairn_background_faults_total", .counter, "Failures of work in the background, by task; each is tried again.",
        BackgroundTask.allCases.map { .init(["task": $0.rawValue], Double(store.backgroundFaults[$0] ?? 0)) }),
    ] + callMetrics(store) + readerMetrics(store) + journalMetrics(store.journal) + appMetrics(store.apps)
  }

  private var rolloutMetrics: [Metric] {
    let rollouts = store.rollouts.sorted { $0.key < $1.key }
    return [
      Metric(
        "cairn_rollouts_damaged", .gauge, "Rollouts that cannot be read, so that no session of their app is created.",
        store.damagedRollouts.count),
      Metric(
        "cairn_rollout_active", .gauge, "1 while the app's newest rollout moves sessions, or will.",
        rollouts.map { .init(["app": $0], $1.state.isActive ? 1 : 0) }),
      Metric(
        "cairn_rollout_sessions", .gauge, "Sessions of the app's newest rollout: moved, waiting, staying, gone back, or left to visit.",
        rollouts.flatMap { app, rollout -> [Metric.Sample] in
          let report = rollout.report
          let counts = [
            ("moved", report.moved), ("reverted", report.reverted), ("stays", report.stays.values.reduce(0) { $0 + $1.count }),
            ("waiting", report.waiting), ("left", report.progress?.left ?? 0),
          ]
          return counts.map { .init(["app": app, "result": $0], Double($1)) }
        }),
    ]
  }

  private func callMetrics(_ store: StoreFigures) -> [Metric] {
    let counts = store.calls.byApp.sorted { $0.key < $1.key }
    return [
      Metric(
        "cairn_outbound_in_flight", .gauge, "Outgoing calls in flight, by app.",
        counts.map { .init(["app": $0.key], Double($0.value.running)) }),
      Metric(
        "cairn_outbound_waiting", .gauge, "Outgoing calls that wait for a slot, by app.",
        counts.map { .init(["app": $0.key], Double($0.value.waiting)) }),
      Metric(
        "cairn_outbound_hosts_resting", .gauge, "Hosts of an app whose calls fail at once, since many failed in a row.",
        store.restingUpstreams),
    ]
  }

  private func appMetrics(_ apps: [String: AppFigures]) -> [Metric] {
    let apps = apps.sorted { $0.key < $1.key }
    return [
      Metric(
        "cairn_app_entries_total", .counter, "Entries by app and cause: requests, or the ends of timers, loads and token calls.",
        apps.flatMap { app, figures -> [Metric.Sample] in
          [
            .init(["app": app, "cause": "request"], Double(figures.requests)),
            .init(["app": app, "cause": "effect"], Double(figures.effects)),
          ]
        }),
      Metric(
        "cairn_app_bytes_total", .counter, "Bytes that entries changed in their sessions, by app.",
        apps.map { .init(["app": $0], Double($1.bytes)) }),
    ]
  }

  private func readerMetrics(_ store: StoreFigures) -> [Metric] {
    let lanes = ["state", "past", "list"]
    let waits = zip(lanes, store.readWaits).flatMap {
      Metric.histogram(["lane": $0], bounds: Durations.bounds, counts: $1.counts, sum: $1.sum)
    }
    return [
      Metric(
        "cairn_reads_waiting", .gauge, "Reads that wait: newest states, old revisions and history, lists.",
        zip(lanes, store.readDepths).map { .init(["lane": $0], Double($1)) }),
      Metric("cairn_read_wait_seconds", .histogram, "How long reads waited for their first step.", waits),
      Metric("cairn_reads_dropped_total", .counter, "Reads given up since their client had left.", store.readsDropped),
    ]
  }

  private func journalMetrics(_ journal: JournalFigures) -> [Metric] {
    [
      Metric(
        "cairn_checkpoint_seconds", "Time for which the writer was blocked to restart or empty the log of writes.", journal.checkpoints),
      Metric(
        "cairn_file_bytes", .gauge, "Size of the database and of the log of writes beside it.",
        [.init(["file": "database"], Double(journal.databaseBytes)), .init(["file": "wal"], Double(journal.logBytes))]),
      Metric("cairn_erasures_pending", .gauge, "1 while something that was deleted is still in the files.", journal.isErasing ? 1 : 0),
      Metric(
        "cairn_erasure_age_seconds", .gauge, "Age of the oldest deleted data in the files, and what its erasure waits for.",
        [.init(["held_by": journal.erasureHindrance.rawValue], Double(journal.erasureAge) / 1e9)]
      ),
      Metric("cairn_erasure_faults_total", .counter, "Erasures that failed and were tried again.", journal.erasureFaults),
      Metric(
        "cairn_signals_up", .gauge, "1 while this node receives the signals of other nodes' commits; without a sample it only polls.",
        journal.isListening.map { [Metric.Sample([:], $0 ? 1 : 0)] } ?? []),
      Metric("cairn_database_older_total", .counter, "Times that the database was found to be older than it was.", journal.losses),
      Metric("cairn_erasures_repeated_total", .counter, "Erasures that were repeated after a restore.", journal.repeatedErasures),
      Metric("cairn_database_connections", .gauge, "Connections to the database that are open.", journal.connections),
      Metric("cairn_database_connects_total", .counter, "Connections to the database since the start.", journal.connects),
      Metric(
        "cairn_change_delay_seconds", "Time from another node's commit until this node read it, for its streams.", journal.changeDelays),
      Metric(
        "cairn_cluster_effects_late_seconds", .gauge, "By how much the oldest effect of any node is late, at one of the nodes.",
        [.init([:], Double(journal.oldestEffectAge) / 1e3)]),
    ]
  }

  private var streamMetrics: [Metric] {
    let figures = streams.figures
    let kinds = EventStream.Kind.allCases
    return [
      Metric(
        "cairn_streams", .gauge, "Streams of events that are open: of a session, of all.",
        kinds.map { .init(["kind": $0.rawValue], Double(figures.open[$0] ?? 0)) }),
      Metric(
        "cairn_stream_events_total", .counter, "Events put into streams.",
        kinds.map { .init(["kind": $0.rawValue], Double(figures.events[$0] ?? 0)) }),
      Metric(
        "cairn_streams_ended_total", .counter, "Ended streams, by reason.",
        StreamReason.allCases.map { .init(["reason": $0.rawValue], Double(figures.ended[$0] ?? 0)) }),
      Metric("cairn_waiting", .gauge, "Requests that wait for a session's next change.", store.feed.waiting),
    ]
  }

  private var ownMetrics: [Metric] {
    let refused = telemetry.refused
    return [
      Metric("cairn_notifications_suppressed_total", .counter, "Notifications that were not shown.", telemetry.suppressions),
      Metric(
        "cairn_refused_total", .counter, "Requests and connections refused, by limit.",
        Limit.allCases.map { .init(["limit": $0.rawValue], Double(refused[$0] ?? 0)) }),
      Metric(
        "cairn_definitions_broken", .gauge, "Files of the folder of definitions that cannot be used.", catalog.shelf.faults.count),
      Metric("cairn_idempotency_replays_total", .counter, "Requests that got the answer kept under their key.", telemetry.replays),
      Metric("cairn_posts_planned_total", .counter, "Planned posts.", telemetry.plans),
      Metric("cairn_log_dropped_total", .counter, "Log lines dropped because their reader was too slow.", telemetry.droppedLines),
      Metric(
        "cairn_build_info", .gauge, "What runs.",
        [.init(["version": settings.version, "commit": settings.commit ?? "unknown", "libmicrohttpd": Server.libraryVersion], 1)]),
    ]
  }
}

extension Metric {
  fileprivate init(_ name: String, _ help: String, _ durations: Durations) {
    self.init(name, help, bounds: Durations.bounds, counts: durations.counts, sum: durations.sum)
  }
}
