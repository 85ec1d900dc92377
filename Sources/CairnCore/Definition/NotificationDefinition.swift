/// The places of a notification's link and category in its payload, and the condition under which it is not shown.
public struct NotificationDefinition: Hashable, Sendable {
  /// The JSON Pointers (RFC 6901) to the link. The first one with a string is used.
  public var linkPointers: [String]
  public var categoryPointers: [String]
  public var suppress: [Suppression]
  /// The places of a message's id: JSON Pointers into the payload, which begin with `/`, and names of headers. The first one with a value is used.
  /// Without any, repeated messages are not recognized.
  public var idPlaces: [String]
  /// The values read from the payload, by name.
  public var values: [String: Reading]
  /// The rules for notifications without a link of their own. The first one that matches is used.
  public var take: [Taking]

  public struct Suppression: Hashable, Sendable {
    /// The category; `nil` for any.
    public var category: String?
    /// The ways of receiving the notification; `nil` for any.
    public var how: Set<How>?
    public var when: Guard

    public init(category: String? = nil, how: Set<How>? = nil, when: Guard) {
      self.how = how
      self.category = category
      self.when = when
    }
  }

  /// The keys that apps use at the top level, then below `data` (Expo, React Native), then those of FCM for the web, then those of vendors.
  public static let defaultLinkPointers =
    [
      "/url", "/link", "/deeplink", "/data/url", "/data/link", "/data/deeplink", "/webpush/fcm_options/link",
    ] + vendorLinkPointers
  /// The keys of Braze, CleverTap, Iterable, OneSignal (on the device and as posted), Airship, Customer.io, Klaviyo and Paytronix.
  static let vendorLinkPointers = [
    "/deep_link", "/uri", "/data/deep_link", "/data/uri", "/ab_uri", "/wzrk_dl", "/itbl/defaultAction/data", "/custom/u", "/app_url", "/^d",
    "/CIO/push/link", "/ios_deep_link", "/android_deep_link", "/deepLink/value",
  ]
  /// The keys in Apple's payload, then at the top level, then in the data of an FCM message.
  public static let defaultCategoryPointers = ["/aps/category", "/category", "/data/category"]

  public init(
    linkPointers: [String] = NotificationDefinition.defaultLinkPointers,
    categoryPointers: [String] = NotificationDefinition.defaultCategoryPointers, suppress: [Suppression] = [],
    idPlaces: [String] = [], values: [String: Reading] = [:], take: [Taking] = []
  ) {
    self.linkPointers = linkPointers
    self.categoryPointers = categoryPointers
    self.suppress = suppress
    self.idPlaces = idPlaces
    self.values = values
    self.take = take
  }
}
