import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore

/// All metrics except the metrics of requests. A new metric needs a row here and a row in docs/operations.md; a test compares the two.
final class ServiceMetrics: Sendable {
  private let store: Store
  private let publisher: Publisher
  private let streams: Streams
  private let telemetry: Telemetry
  private let inFlight: InFlight
  private let settings: Settings
  private let front = Lock<(@Sendable () -> Server.Counts?)?>(nil)

  init(_ store: Store, _ publisher: Publisher, _ streams: Streams, _ telemetry: Telemetry, _ inFlight: InFlight, _ settings: Settings) {
    self.store = store
    self.publisher = publisher
    self.streams = streams
    self.telemetry = telemetry
    self.inFlight = inFlight
    self.settings = settings
  }

  /// Sets the source of the HTTP server's metrics.
  func report(_ counts: @escaping @Sendable () -> Server.Counts?) { front.withLock { $0 = counts } }

  /// The metrics of the HTTP server; `nil` if no server is set.
  private func connections() -> Server.Counts? { front.withLock { $0 }.flatMap { $0() } }

  /// All metrics except the metrics of requests, in the order of the output.
  var all: [Metric] { frontMetrics + storeMetrics(store.figures) + streamMetrics + rolloutMetrics + ownMetrics + settings.figures() }

  private var frontMetrics: [Metric] {
    var metrics = [Metric("cairn_http_requests_in_flight", .gauge, "Requests in progress.", inFlight.count)]
    if let http = connections() {
      metrics += [
        Metric("cairn_http_connections", .gauge, "Open connections on the public port, including event streams.", http.connections),
        Metric("cairn_http_streams", .gauge, "Open event streams; each is also counted in cairn_http_connections.", http.streams),
        Metric(
          "cairn_http_connections_cut_total", .counter,
          "Connections closed because their client was too slow to send a request or to read a response or stream.", http.cut),
        Metric(
          "cairn_http_connections_refused_total", .counter,
          "Connections rejected because of the setting connections or connectionsPerAddress.", http.refused),
      ]
    }
    return metrics
  }

  private func storeMetrics(_ store: StoreFigures) -> [Metric] {
    [
      Metric("cairn_commits_total", .counter, "Transactions committed to the journal.", store.commits),
      Metric("cairn_committed_actions_total", .counter, "Entries committed to the journal.", store.committedActions),
      Metric("cairn_commit_batch_size_max", .gauge, "Maximum number of entries in one commit since the start.", store.largestBatch),
      Metric(
        "cairn_commit_conflicts_total", .counter, "Commits of a session that failed because another node had changed the session.",
        store.conflicts),
      Metric("cairn_reruns_total", .counter, "Requests that ran again because another node had changed their session.", store.reruns),
      Metric("cairn_contended_total", .counter, "Requests rejected because other nodes kept changing their session.", store.contended),
      Metric(
        "cairn_uncertain_total", .counter, "Commits with an unknown outcome, because the connection to the database broke.", store.uncertain
      ),
      Metric(
        "cairn_lost_revisions_total", .counter,
        "Revisions that the database lost in failovers. Only revisions that this node had seen are counted, so more may be lost.",
        store.lostRevisions),
      Metric("cairn_queue_depth", .gauge, "Commands, such as posted actions, that wait for the writer.", store.queueDepth),
      Metric(
        "cairn_queue_limit", .gauge, "Maximum of cairn_queue_depth; if it is exceeded, requests get 503 (overloaded).", store.queueLimit),
      Metric("cairn_sessions", .gauge, "Sessions in the journal.", store.sessions),
      Metric(
        "cairn_sessions_checked_total", .counter,
        "Background checks of sessions for damage. A session may be counted several times.", store.checked),
      Metric("cairn_journal_up", .gauge, "1 while the service can write to the journal, 0 otherwise.", store.journalFault == nil ? 1 : 0),
      Metric("cairn_commit_seconds", "Time from the start of a commit until it is on disk.", store.commitTimes),
      Metric("cairn_cache_bytes", .gauge, "Estimated total size of the sessions cached in memory.", store.cacheBytes),
      Metric(
        "cairn_effects_late_seconds", .gauge,
        "Seconds since this node's most overdue effect, such as a timer, was due; 0 if none is overdue.",
        [.init([:], Double(store.effectsLate) / 1e3)]),
      Metric("cairn_sessions_expired_total", .counter, "Sessions deleted because they had expired.", store.expired),
      Metric(
        "cairn_expiry_held", .gauge,
        "1 while sessions that have expired are not deleted, because expiryShare limits deletions or the clock jumped ahead; 0 otherwise.",
        store.isExpiryHeld ? 1 : 0),
      Metric("cairn_sessions_damaged", .gauge, "Sessions that were found to be damaged and have not been deleted.", store.damaged),
      Metric(
        "cairn_background_faults_total", .counter, "Failures of background work, by task. The service retries each.",
        BackgroundTask.allCases.map { .init(["task": $0.rawValue], Double(store.backgroundFaults[$0] ?? 0)) }),
    ] + callMetrics(store) + readerMetrics(store) + journalMetrics(store.journal) + appMetrics(store.apps)
  }

  private var rolloutMetrics: [Metric] {
    let rollouts = store.releases.rollouts.sorted { $0.key < $1.key }
    return [
      Metric(
        "cairn_rollouts_damaged", .gauge, "Rollouts that cannot be read. No session of an app with such a rollout can be created.",
        store.releases.damagedRollouts.count),
      Metric(
        "cairn_rollout_active", .gauge, "1 while the app's newest rollout is running, paused or reverting, 0 otherwise.",
        rollouts.map { .init(["app": $0], $1.state.isActive ? 1 : 0) }),
      Metric(
        "cairn_rollout_sessions", .gauge,
        "Sessions of the app's newest rollout, by result: moved, waiting (the rollout's condition is not true yet), "
          + "stays (cannot be moved), reverted, or left (not visited).",
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
        "cairn_outbound_in_flight", .gauge, "Outgoing calls in progress, by app (`other` after the first 100 apps).",
        counts.map { .init(["app": $0.key], Double($0.value.running)) }),
      Metric(
        "cairn_outbound_waiting", .gauge,
        "Outgoing calls that wait because too many others are in progress, by app (`other` after the first 100 apps).",
        counts.map { .init(["app": $0.key], Double($0.value.waiting)) }),
      Metric(
        "cairn_outbound_hosts_resting", .gauge,
        "Pairs of app and host whose calls currently fail without being sent, because ten calls in a row got no response.",
        store.restingUpstreams),
    ]
  }

  private func appMetrics(_ apps: [String: AppFigures]) -> [Metric] {
    let apps = apps.sorted { $0.key < $1.key }
    return [
      Metric(
        "cairn_app_entries_total", .counter,
        "Entries committed to the journal, by app and cause: effect (such as the end of a timer or load), or request (all others, also moves by a rollout).",
        apps.flatMap { app, figures -> [Metric.Sample] in
          [
            .init(["app": app, "cause": "request"], Double(figures.requests)),
            .init(["app": app, "cause": "effect"], Double(figures.effects)),
          ]
        }),
      Metric(
        "cairn_app_bytes_total", .counter, "Bytes of state differences in entries committed to the journal, by app.",
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
        "cairn_reads_waiting", .gauge,
        "Reads that have not started yet, by lane: state (current states), past (old revisions, history, plans and predictions), "
          + "list (lists of sessions).",
        zip(lanes, store.readDepths).map { .init(["lane": $0], Double($1)) }),
      Metric("cairn_read_wait_seconds", .histogram, "Time that a read waited before it started, by lane: state, past or list.", waits),
      Metric("cairn_reads_dropped_total", .counter, "Reads that were cancelled because their client had disconnected.", store.readsDropped),
    ]
  }

  private func journalMetrics(_ journal: JournalFigures) -> [Metric] {
    [
      Metric(
        "cairn_checkpoint_seconds", "Time for which the writer was blocked by a restart or truncation of the write-ahead log.",
        journal.checkpoints),
      Metric(
        "cairn_file_bytes", .gauge, "Size of the SQLite database file and of its write-ahead log; 0 on PostgreSQL.",
        [.init(["file": "database"], Double(journal.databaseBytes)), .init(["file": "wal"], Double(journal.logBytes))]),
      Metric(
        "cairn_erasures_pending", .gauge, "1 while the database files contain deleted data that is not yet erased, 0 otherwise.",
        journal.isErasing ? 1 : 0),
      Metric(
        "cairn_erasure_age_seconds", .gauge,
        "Seconds since the oldest deletion whose data is not yet erased from the database files; 0 if there is none. The label held_by names what delays it.",
        [.init(["held_by": journal.erasureHindrance.rawValue], Double(journal.erasureAge) / 1e9)]
      ),
      Metric(
        "cairn_erasure_faults_total", .counter,
        "Failed attempts to erase deleted data from the database files. The service tries again.", journal.erasureFaults),
      Metric(
        "cairn_signals_up", .gauge,
        "1 while this node receives signals of other nodes' commits, 0 while it only polls. No sample if signals are off.",
        journal.isListening.map { [Metric.Sample([:], $0 ? 1 : 0)] } ?? []),
      Metric(
        "cairn_database_older_total", .counter,
        "Number of times that this node found the database older than before, after a restore or a loss of data.",
        journal.losses),
      Metric(
        "cairn_erasures_repeated_total", .counter, "Sessions deleted again, and histories forgotten again, after a restore.",
        journal.repeatedErasures),
      Metric("cairn_database_connections", .gauge, "Open connections to PostgreSQL; 0 on SQLite.", journal.connections),
      Metric(
        "cairn_database_connects_total", .counter,
        "Connections to PostgreSQL opened since the start. A steady rise means that connections are lost.", journal.connects),
      Metric(
        "cairn_change_delay_seconds",
        "Time from another node's commit until this node read it; measured only while this node has subscribers.",
        journal.changeDelays),
      Metric(
        "cairn_cluster_effects_late_seconds", .gauge,
        "Seconds since the most overdue effect of all nodes was due. One node measures this each minute; on the others it is 0.",
        [.init([:], Double(journal.oldestEffectAge) / 1e3)]),
    ]
  }

  private var streamMetrics: [Metric] {
    let figures = streams.figures
    let kinds = EventStream.Kind.allCases
    return [
      Metric(
        "cairn_streams", .gauge, "Open event streams, by kind: of one session, or of all sessions.",
        kinds.map { .init(["kind": $0.rawValue], Double(figures.open[$0] ?? 0)) }),
      Metric(
        "cairn_stream_events_total", .counter, "Events sent to streams, by kind of stream: of one session, or of all sessions.",
        kinds.map { .init(["kind": $0.rawValue], Double(figures.events[$0] ?? 0)) }),
      Metric(
        "cairn_streams_ended_total", .counter,
        "Ended event streams, by reason, such as deleted, expired, left (the client disconnected) or slow (the client did not read fast enough).",
        StreamReason.allCases.map { .init(["reason": $0.rawValue], Double(figures.ended[$0] ?? 0)) }),
      Metric("cairn_waiting", .gauge, "Long polls: requests that wait for the next change of a session.", store.feed.waiting),
    ]
  }

  private var ownMetrics: [Metric] {
    let refused = telemetry.refused
    return [
      Metric(
        "cairn_notifications_suppressed_total", .counter, "Notifications that an app's definition suppressed.", telemetry.suppressions),
      Metric(
        "cairn_refused_total", .counter, "Requests and connections rejected because of a limit, by limit.",
        Limit.allCases.map { .init(["limit": $0.rawValue], Double(refused[$0] ?? 0)) }),
      Metric(
        "cairn_definitions_broken", .gauge, "Invalid files in the folder of definitions; 0 on PostgreSQL, where no folder is read.",
        publisher.catalog.shelf.faults.count),
      Metric(
        "cairn_editions_damaged", .gauge,
        "Apps whose newest definition in the database cannot be read. No new session of these apps can be created.",
        publisher.refused.count),
      Metric(
        "cairn_idempotency_replays_total", .counter,
        "Requests with a known Idempotency-Key, and actions with a known number, which the service did not perform again.",
        telemetry.replays),
      Metric(
        "cairn_posts_planned_total", .counter, "Posts with ?plan, which return what an action would do, without performing it.",
        telemetry.plans),
      Metric(
        "cairn_log_dropped_total", .counter, "Log lines that were dropped because the reader of the log was too slow.",
        telemetry.droppedLines),
      Metric(
        "cairn_build_info", .gauge,
        "Always 1. The labels contain the versions of the service and of libmicrohttpd, and the commit of the build.",
        [.init(["version": settings.version, "commit": settings.commit ?? "unknown", "libmicrohttpd": Server.libraryVersion], 1)]),
    ]
  }
}

extension Metric {
  fileprivate init(_ name: String, _ help: String, _ durations: Durations) {
    self.init(name, help, bounds: Durations.bounds, counts: durations.counts, sum: durations.sum)
  }
}
