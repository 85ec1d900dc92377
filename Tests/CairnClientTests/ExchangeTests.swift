import CairnTesting
import CairnTransfer
import Foundation
import Testing

@testable import CairnClient

@Suite(.tags(.timing), .ownThreads) struct `Parts of a response` {
  private func text(_ part: Exchange.Part) -> String {
    switch part {
    case .head(let head): "head \(head.status)"
    case .bytes(let data): String(decoding: data, as: UTF8.self)
    case .end(let error): "end \(error?.text ?? "")"
    }
  }

  @Test func `parts are read in the order of arrival`() async {
    let exchange = Exchange(limit: 100)
    for part in [.head(TransferHead(status: 200)), .bytes(Data("a".utf8)), .bytes(Data("b".utf8)), .end(nil)] as [Exchange.Part] {
      #expect(exchange.put(part))
    }
    var taken: [String] = []
    while taken.last?.hasPrefix("end") != true { taken.append(text(await exchange.next())) }
    #expect(taken == ["head 200", "a", "b", "end "])
  }

  @Test func `unread bytes are bounded, and reading frees their space`() async {
    let exchange = Exchange(limit: 4)
    #expect(exchange.put(.bytes(Data("abcd".utf8))))
    #expect(!exchange.put(.bytes(Data("e".utf8))))
    #expect(text(await exchange.next()) == "abcd")
    #expect(text(await exchange.next()) == "e")
    #expect(exchange.put(.bytes(Data("fghi".utf8))))
  }

  @Test func `the first end counts, and later parts are dropped`() async {
    let exchange = Exchange(limit: 4)
    #expect(exchange.put(.end(.timeout)))
    #expect(exchange.put(.end(nil)) && exchange.put(.bytes(Data("abcdefgh".utf8))))
    #expect(text(await exchange.next()) == "end \(ClientError.timeout.text)")
  }

  @Test func `a waiting reader gets the next part at once, without queueing`() async {
    let exchange = Exchange(limit: 0)
    let taker = Task.immediate { await exchange.next() }
    #expect(exchange.put(.bytes(Data("a".utf8))))
    #expect(text(await taker.value) == "a")
    #expect(!exchange.put(.bytes(Data("b".utf8))))
  }
}
