import CairnHTTP
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct Mutations {
  /// A reproducible generator of random numbers (xorshift).
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private static let oddities: [[UInt8]] = [
    [0], [9], [10], [13], [13, 10], [13, 10, 13, 10], [32], [58], [59], [0x80], [0xFF], Array("0".utf8), Array("\r\n ".utf8),
    Array("Content-Length: 3\r\n".utf8), Array("Transfer-Encoding: chunked\r\n".utf8), Array("Cookie: a=b; c\r\n".utf8),
    Array("HTTP/1.0".utf8), Array("Expect: 100-continue\r\n".utf8), Array("Connection: close\r\n".utf8), Array("?a=b&c".utf8),
  ]

  private static func mutate(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let place = Int.random(in: 0...bytes.count, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: bytes.insert(contentsOf: oddities.randomElement(using: &dice) ?? [], at: place)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &dice)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...8, using: &dice)))
      default: bytes.insert(contentsOf: bytes.prefix(place).suffix(40), at: place)
      }
    }
    return bytes
  }

  @Test(arguments: [16 << 10, 2 << 10], [1, 2, 3, 4] as [UInt64])
  func `any input gets a sequence of complete responses, and then the connection closes`(memory: Int, seed: UInt64) throws {
    var limits = Limits.patient
    limits.memoryPerConnection = memory
    limits.connectionsPerAddress = 0
    // Short deadlines, so that unfinished messages are cut off soon.
    limits.head = .milliseconds(400)
    limits.upload = .milliseconds(400)
    var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let good = Array(
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n".utf8)
    try withServer(limits) { server in
      for _ in 0..<8 {
        let clients = try (0..<32).map { _ in try Client(server.port) }
        var sent: [[UInt8]] = []
        for client in clients {
          let probe = Array((Hostile.all.randomElement(using: &dice)?.bytes ?? "").utf8.prefix(6_000))
          sent.append(Self.mutate((Bool.random(using: &dice) ? good : []) + probe + good, &dice))
          client.send(sent.last ?? [])
          client.finishSending()
        }
        for (client, bytes) in zip(clients, sent) {
          let all = try client.receiveToEnd()
          // The interim response 100 has no body and no length.
          let answers = all.replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "")
          #expect(Answers.split(answers) != nil, "\(all) to \(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
      }
      // The request is repeated, because on a busy machine its head may miss the short deadline.
      #expect(
        eventually {
          guard let next = try? Client(server.port) else { return false }
          next.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
          return (try? next.receive())?.body == "GET [\"next\"] [] "
        })
    }
  }
}
