// The functions of the engine as WebAssembly: one session of one client. scripts/build-engine compiles this file with CairnCore to one module without
// imports. Data is passed in one buffer: the caller writes UTF-8 to the address that `input` returns, and reads the result at `output`. A function that
// has a result returns its length in bytes, or the negative length of a message if it failed. Numbers are doubles, because JavaScript passes them
// without conversion; they are integers below 2^53.

/// The input of the next call, or the output of the last one. `nonisolated(unsafe)` is correct, because the module runs on one thread.
nonisolated(unsafe) private var buffer: [UInt8] = []
nonisolated(unsafe) private var definition: Definition?
nonisolated(unsafe) private var replica: Replica?

/// Allocates `count` bytes for the input and returns their address.
@_cdecl("input") public func input(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
  buffer = [UInt8](repeating: 0, count: Int(count))
  return output()
}

/// The address of the output of the last call.
@_cdecl("output") public func output() -> UnsafeMutablePointer<UInt8>? { buffer.withUnsafeMutableBufferPointer { $0.baseAddress } }

/// The versions of the formats that the engine reads, and the version of its behavior, such as `{"definition":3,"engine":6,"state":3}`.
@_cdecl("formats") public func formats() -> Int32 {
  written { writer in
    writer.beginObject()
    writer.member("definition", WideInt(DefinitionFormat.version))
    writer.member("engine", WideInt(Reducer.engine))
    writer.member("state", WideInt(ReplicaFormat.version))
    writer.endObject()
  }
}

/// Reads the definition in the input, in `DefinitionFormat`. The next `begin` or `start` uses it.
@_cdecl("define") public func define() -> Int32 {
  answered { () throws(UnreadableFormat) in
    definition = try DefinitionFormat.read(buffer)
    return 0
  }
}

/// Begins with the state of a session, without pending actions. The input is the state in `ReplicaFormat`.
@_cdecl("begin") public func begin() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let definition else { throw UnreadableFormat(reason: "no definition has been loaded: call define first") }
    replica = try Replica(definition, state: buffer)
    return 0
  }
}

/// Begins a session that the service has not created yet. `time` is in milliseconds since 1970.
@_cdecl("start") public func start(_ time: Double) -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let definition else { throw UnreadableFormat(reason: "no definition has been loaded: call define first") }
    replica = try Replica(definition, startingAt: WideInt(time))
    return 0
  }
}

/// Runs an action, as a client posts it, on the shown state. `number` is the client's number of the action, `time` its time in milliseconds
/// since 1970, and `seen` the confirmed revision that was shown when the user acted, or 0 for the current one. The result is
/// `{"created":…}` if the effect is shown now, otherwise `{"reason":…}`. If the action is refused here, `refusal` contains the message.
@_cdecl("predict") public func predict(_ number: Double, _ time: Double, _ seen: Double) -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard replica != nil else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    let action = (try? JSONDocument.read(buffer, depthLimit: 64) { Action(posted: $0) }) ?? nil
    // An action that cannot be read is as unpredictable as a logout. Later steps wait for it too.
    let prediction = replica?.predict(action ?? .logout, number: WideInt(number), at: WideInt(time), seen: seen > 0 ? Int(seen) : nil)
    return written { writer in (prediction ?? .unpredictable).write(to: &writer) }
  }
}

/// Writes the covers over the pages on which the user performed the pending actions. A client stores them with the state and the pending actions, and passes
/// them to `setCovers` after `begin`.
@_cdecl("covers") public func covers() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let replica else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    return written { writer in replica.writeCovers(to: &writer) }
  }
}

/// Sets the covers in the input, which `covers` has returned in another instance.
@_cdecl("setCovers") public func setCovers() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard replica != nil else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    try replica?.setCovers(buffer)
    return 0
  }
}

/// Runs the steps that wait for an unpredictable action, before the service has decided on that action. The result is an update, like that
/// of `confirm`.
@_cdecl("proceed") public func proceed() -> Int32 {
  updated { replica throws(UnreadableFormat) in replica.proceed() }
}

/// The pending action that created a node, and the node's index among the nodes that it created. The input is the node's id. The result is
/// `{"action":41,"node":0}`, or `{}` for a confirmed node.
@_cdecl("origin") public func origin() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let replica else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    let origin = NodeID(String(decoding: buffer, as: UTF8.self)).flatMap { replica.origin(of: $0) }
    return written { writer in
      writer.beginObject()
      if let origin {
        writer.member("action", origin.number)
        writer.member("node", WideInt(origin.place))
      }
      writer.endObject()
    }
  }
}

/// Applies reports of the service in their order, and then runs the pending actions again once. `ServiceReport.reading` describes the input. The result is an
/// update: `{"renamed":{"n7":"n8"}}`.
@_cdecl("confirm") public func confirm() -> Int32 {
  updated { replica throws(UnreadableFormat) in try replica.take(ServiceReport.reading(buffer)) }
}

/// Replaces the confirmed state by the input, a state in `ReplicaFormat` with the results of this client's actions up to the number `last`.
/// The result is an update, like that of `confirm`.
@_cdecl("adopt") public func adopt(_ last: Double) -> Int32 {
  updated { replica throws(UnreadableFormat) in try replica.adopt(buffer, through: WideInt(last)) }
}

/// The next tick of a timer that a pending action has started: `{"due":1764500000000,"node":"n8","send":"lockDue"}`, or `{}` if there is none. `due` is the
/// time at which the timer is due by the client's clock, in milliseconds since 1970. The tick is an action, which the client predicts and posts with its
/// number.
@_cdecl("tick") public func tick() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let replica else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    let next = replica.nextTick
    return written { writer in
      writer.beginObject()
      if let next {
        writer.member("due", next.due)
        writer.name("node")
        writer.id(next.node)
        if !next.send.isEmpty { writer.member("send", next.send) }
      }
      writer.endObject()
    }
  }
}

/// The shown session: `{"accepts":…,"facts":…,"revision":…,"stack":…,"tree":…,"visible":…}`. The revision is the confirmed one.
@_cdecl("view") public func view() -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard let replica else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    return written { writer in
      writer.beginObject()
      replica.writeView(to: &writer)
      writer.endObject()
    }
  }
}

private func updated(_ change: (inout Replica) throws(UnreadableFormat) -> ReplicaUpdate) -> Int32 {
  answered { () throws(UnreadableFormat) in
    guard var changed = replica else { throw UnreadableFormat(reason: "no session has been loaded: call begin or start first") }
    replica = nil
    defer { replica = changed }
    let update = try change(&changed)
    return written { writer in update.write(to: &writer) }
  }
}

/// Returns the result of `body`. If `body` fails, writes the reason and returns its negative length.
private func answered(_ body: () throws(UnreadableFormat) -> Int32) -> Int32 {
  do throws(UnreadableFormat) {
    return try body()
  } catch {
    buffer = Array(error.reason.utf8)
    return -Int32(buffer.count)
  }
}

private func written(_ body: (inout JSONWriter) -> Void) -> Int32 {
  var writer = JSONWriter()
  body(&writer)
  // The engine computes no number that JSON cannot represent.
  buffer = (try? writer.bytes()) ?? []
  return Int32(buffer.count)
}
