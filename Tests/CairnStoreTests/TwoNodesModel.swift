/// A model of decision 16: two nodes with separate memories use one journal, and one of them may crash once at any step. `faults` visits every order of the
/// steps and collects the broken promises.
struct TwoNodesModel {
  /// The checks of a commit. A model without one of them must break a promise.
  var checksVersions = true
  var checksKeys = true

  /// A request that adds its number to the session. It is refused if the session already contains `isRefusedAfter`.
  struct Request: Hashable {
    let number: Int
    let node: Int
    var key: Int?
    var isRefusedAfter: Int?
  }

  enum Response: Hashable {
    case performed(revision: Int)
    /// `by` is the number of the request that was run. It distinguishes the refusals of two requests, whose bytes differ, for example in their
    /// times.
    case refused(revision: Int, by: Int)
  }

  /// The state of the whole system.
  private struct World: Hashable {
    /// The entries of the session: the numbers of the requests, or of the keys (negative) under which they were made.
    var entries: [Int] = []
    var kept: [Int: Response] = [:]
    var nodes = [Node(), Node()]
    var clients: [Client] = []
    var crashes = 0
  }

  private struct Node: Hashable {
    /// The revision in memory; `nil` if the session must be read.
    var cached: Int?
    var phase = Phase.idle
  }

  private enum Phase: Hashable {
    case idle
    case ran(client: Int, seen: Int, Response)
    case committed(client: Int, Response)
  }

  private struct Client: Hashable {
    var request: Request
    /// The revision when the request was sent.
    var begin: Int?
    var response: Response?
    /// Whether the node crashed before it answered, so that the client does not know the outcome.
    var isLost = false
    var isTaken = false
  }

  /// The broken promises, in words, over all orders of the steps of these requests.
  func faults(of requests: [Request]) -> Set<String> {
    var found: Set<String> = []
    var seen: Set<World> = []
    var world = World()
    world.clients = requests.map { Client(request: $0) }
    var open = [world]
    while let world = open.popLast() {
      guard seen.insert(world).inserted else { continue }
      let next = steps(from: world)
      found.formUnion(broken(in: world))
      open += next
    }
    return found
  }

  private func steps(from world: World) -> [World] {
    var next: [World] = []
    for number in world.nodes.indices {
      switch world.nodes[number].phase {
      case .idle:
        for (index, client) in world.clients.enumerated() where client.request.node == number && !client.isTaken {
          next.append(run(index, on: number, world))
        }
      case .ran(let client, let seen, let response): next.append(commit(client, seen, response, on: number, world))
      case .committed(let client, let response):
        var after = world
        after.clients[client].response = response
        after.nodes[number].phase = .idle
        next.append(after)
      }
      if world.crashes == 0 { next.append(crash(number, world)) }
    }
    return next
  }

  /// Searches for a stored response. If none is stored, runs the request on the state in memory.
  private func run(_ index: Int, on number: Int, _ world: World) -> World {
    var after = world
    let request = world.clients[index].request
    after.clients[index].isTaken = true
    if world.clients[index].begin == nil { after.clients[index].begin = world.entries.count }
    if let key = request.key, let kept = world.kept[key] {
      after.nodes[number].phase = .committed(client: index, kept)
      return after
    }
    let seen = world.nodes[number].cached ?? world.entries.count
    let isRefused = request.isRefusedAfter.map { world.entries.prefix(seen).contains($0) } ?? false
    after.nodes[number].cached = seen
    after.nodes[number].phase = .ran(
      client: index, seen: seen, isRefused ? .refused(revision: seen, by: request.number) : .performed(revision: seen + 1))
    return after
  }

  private func commit(_ client: Int, _ seen: Int, _ response: Response, on number: Int, _ world: World) -> World {
    var after = world
    let request = world.clients[client].request
    let isStale = checksVersions && seen != world.entries.count
    let isTaken = checksKeys && request.key.map { world.kept[$0] != nil } ?? false
    guard !isStale, !isTaken else {
      // The request runs again on the new state.
      after.nodes[number] = Node()
      after.clients[client].isTaken = false
      return after
    }
    if case .performed = response { after.entries.append(request.key.map { -$0 } ?? request.number) }
    if let key = request.key { after.kept[key] = response }
    after.nodes[number].cached = after.entries.count
    after.nodes[number].phase = .committed(client: client, response)
    return after
  }

  /// Clears the memory of a node. The client of its request sends the request again if the request has a key.
  private func crash(_ number: Int, _ world: World) -> World {
    var after = world
    after.crashes = 1
    switch world.nodes[number].phase {
    case .idle: break
    case .ran(let client, _, _), .committed(let client, _):
      if world.clients[client].request.key == nil { after.clients[client].isLost = true } else { after.clients[client].isTaken = false }
    }
    after.nodes[number] = Node()
    return after
  }

  private func broken(in world: World) -> Set<String> {
    var broken: Set<String> = []
    if Set(world.entries).count != world.entries.count { broken.insert("performed twice") }
    var byKey: [Int: Response] = [:]
    for client in world.clients {
      guard let response = client.response else { continue }
      let request = client.request
      if let key = request.key {
        if let other = byKey[key], other != response { broken.insert("two responses under one key") }
        byKey[key] = response
      }
      switch response {
      case .performed(let revision):
        let mark = request.key.map { -$0 } ?? request.number
        if revision > world.entries.count || world.entries[revision - 1] != mark { broken.insert("acknowledged and missing") }
      case .refused(let revision, _):
        // A repeated request may get a stored refusal that is older than the repetition.
        if request.key == nil, revision < client.begin ?? 0 { broken.insert("refused by a stale state") }
      }
    }
    return broken
  }
}
