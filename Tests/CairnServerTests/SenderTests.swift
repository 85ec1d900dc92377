import CairnCore
import CairnTesting
import Testing

/// A notification as a push service delivers it to an app on one platform, according to the sender's public documents. The link is `shop://items/7`.
struct PushSender: Sendable, CustomTestStringConvertible {
  let name: String
  let body: String
  var testDescription: String { name }

  init(_ name: String, _ body: String) { (self.name, self.body) = (name, body) }

  /// As an app on iOS receives it.
  static func apple(_ name: String, _ members: String) -> PushSender {
    PushSender("\(name), iOS", #"{"aps":{"alert":{"title":"Hello","body":"World"}},\#(members)}"#)
  }

  /// As an app on Android receives it: an FCM message whose data contains only texts.
  static func android(_ name: String, _ data: String) -> PushSender {
    PushSender("\(name), Android", #"{"message":{"token":"t","data":{\#(data)}}}"#)
  }

  static let all = [
    apple("APNs", #""url":"shop://items/7""#),
    apple("APNs with data", #""data":{"deep_link":"shop://items/7"}"#),
    apple("FCM", #""gcm.message_id":"1","google.c.a.e":"1","link":"shop://items/7""#),
    android("FCM", #""link":"shop://items/7""#),
    android("FCM with an object in its data", #""data":"{\"type\":\"order\",\"url\":\"shop://items/7\"}""#),
    PushSender(
      "FCM v1, own data for Android", #"{"message":{"android":{"data":{"url":"shop://items/7"}},"data":{"url":"shop://items/8"}}}"#),
    PushSender("FCM v1, own payload for Apple", #"{"message":{"apns":{"payload":{"aps":{"alert":"x"},"url":"shop://items/7"}}}}"#),
    PushSender(
      "FCM v1, also for the web",
      #"{"message":{"data":{"deep_link":"shop://items/7"},"webpush":{"fcm_options":{"link":"https://shop.example/items/8"}}}}"#),
    PushSender("FCM v1, only for the web", #"{"message":{"webpush":{"fcm_options":{"link":"https://shop.example/items/7"}}}}"#),
    apple("OneSignal", #""custom":{"i":"2b1c","u":"shop://items/7","a":{"order":"9"}}"#),
    android("OneSignal", #""alert":"World","custom":"{\"i\":\"2b1c\",\"u\":\"shop://items/7\",\"a\":{\"order\":\"9\"}}""#),
    apple("Braze", #""ab":{"c":"x"},"ab_uri":"shop://items/7""#),
    android("Braze", #""_ab":"true","t":"Hello","a":"World","uri":"shop://items/7","extra":"{\"k\":\"v\"}""#),
    apple("CleverTap", #""wzrk_id":"1_2","wzrk_dl":"shop://items/7""#),
    android("CleverTap", #""nt":"Hello","nm":"World","wzrk_id":"1_2","wzrk_dl":"shop://items/7""#),
    apple(
      "Iterable",
      #""itbl":{"campaignId":1,"templateId":2,"messageId":"m","isGhostPush":false,"defaultAction":{"type":"openUrl","data":"shop://items/7"}}"#
    ),
    android(
      "Iterable",
      #""body":"World","itbl":"{\"campaignId\":1,\"messageId\":\"m\",\"defaultAction\":{\"type\":\"openUrl\",\"data\":\"shop://items/7\"}}""#
    ),
    apple("Airship", #""_":"c","com.urbanairship.metadata":"m","^d":"shop://items/7""#),
    android(
      "Airship", #""com.urbanairship.push.ALERT":"World","com.urbanairship.actions":"{\"^d\":\"shop://items/7\",\"^+t\":[\"a\"]}""#),
    apple("Customer.io", #""CIO-Delivery-ID":"d","CIO":{"push":{"link":"shop://items/7","image":"https://shop.example/1.png"}}"#),
    android("Customer.io", #""CIO-Delivery-ID":"d","title":"Hello","body":"World","link":"shop://items/7""#),
    apple("Expo", #""experienceId":"@a/b","scopeKey":"@a/b","body":{"url":"shop://items/7"}"#),
    android("Expo", #""title":"Hello","message":"World","experienceId":"@a/b","body":"{\"url\":\"shop://items/7\"}""#),
    apple("Intercom", #""intercom_push_type":"push_only","conv_id":"3","uri":"shop://items/7""#),
    android("Intercom", #""receiver":"intercom_sdk","intercom_push_type":"push_only","title":"Hello","uri":"shop://items/7""#),
    PushSender(
      "Declarative Web Push",
      #"{"web_push":8030,"notification":{"title":"Hello","lang":"en-US","navigate":"https://shop.example/items/7","silent":false}}"#),
  ]
}

@Suite(.tags(.timing), .ownThreads) struct `Notifications of push services` {
  @Test func `a tap opens the link that each sender puts into its payload, on each platform`() throws {
    let session = try MessagesApp.session()
    for sender in PushSender.all {
      let reply = try session.post("notifications", sender.body)
      #expect(reply.visible == "item 7", "\(sender.name)")
    }
  }

  @Test func `a hostile text inside a payload is a text`() throws {
    let session = try MessagesApp.session()
    let deep = String(repeating: "[", count: 20_000)
    let texts = [
      deep, deep + String(repeating: "]", count: 20_000), #"{\"u\":"#, #"{\"u\":1,\"u\":\"shop://items/7\"}"#, "{}", "[]", "{",
      "{" + String(repeating: #"\"a\":0,"#, count: 4_000), #"{\"u\":{\"u\":\"shop://items/7\"}}"#,
    ]
    for text in texts {
      let reply = try session.post("notifications", #"{"aps":{},"custom":"\#(text)"}"#)
      #expect(reply.status == 200 && reply["reason"] == "no-link", "\(text.prefix(40)): \(reply.text)")
    }
  }
}
