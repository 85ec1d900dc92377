import { basket } from "./basket.js";
import { button, form, h, row } from "./dom.js";
import { addresses, dishOf, price, restaurantOf, restaurants, slots } from "./menu.js";

/**
 * One function per screen of config/apps/delivery.yaml: it returns the screen's title and contents. A screen posts only what has happened (`say`), and never
 * the next screen. `facts` are the session's; `flow` is the node of the flow around the screen.
 */
export const screens = {
  restaurantList: ({ say }) => ["Restaurants", h("ul", {}, restaurants.map((one) =>
    row(one.name, `${one.kind} · ${one.minutes} min`, () => say.step("restaurantPicked", { restaurantId: one.id }))))],

  restaurant: ({ params, say }) => {
    const { name, kind, dishes: all } = restaurantOf(params.restaurantId);
    return [name, h("p", { class: "quiet" }, kind), h("ul", {}, all.map((id) =>
      row(dishOf(id)[0], price(dishOf(id)[1]), () => say.step("dishPicked", { dishId: id }))))];
  },

  dish: ({ params }) => [dishOf(params.dishId)[0], h("p", { class: "price" }, price(dishOf(params.dishId)[1])),
    button("Add to basket", () => basket.add(params.dishId), { class: "primary" })],

  orderList: ({ say }) => ["Orders", h("ul", {}, [7, 12].map((id) =>
    row(`Order ${id}`, id === 7 ? "On its way" : "Delivered", () => say.step("orderPicked", { orderId: id }))))],

  order: ({ params, say }) => [`Order ${params.orderId}`, h("p", {}, "Two dishes from Trattoria Luna."),
    button("Where is it?", () => say.step("trackingRequested"), { class: "primary" })],

  tracking: ({ params, say }) => [`Order ${params.orderId} on its way`, h("div", { class: "map", role: "img", "aria-label": "The courier is near" }, "🏠 · · · 🚲"),
    button("Chat with the courier", () => say.step("chatRequested"), { class: "primary" })],

  chat: ({ params, say }) => [`Chat about order ${params.orderId}`, h("p", { class: "bubble" }, "Two minutes!"), button("Done", () => say.step("chatClosed"))],

  profileHome: ({ say, facts }) => ["Profile", h("ul", {},
    row("Addresses", `${Object.keys(addresses).length}`, () => say.step("addressesRequested")),
    facts.accessToken ? row("Log out", "", () => say.step("logoutRequested")) : row("Log in", "", () => say.step("loginNeeded")))],

  addresses: ({ say }) => ["Addresses", h("ul", {}, Object.entries(addresses).map(([id, text]) =>
    row(text, id, () => say.step("addressPicked", { addressId: id }))))],

  editAddress: ({ params, say }) => ["Address", form([["text", "Street and number", { value: addresses[params.addressId] ?? "" }]], "Save", ({ text }) => {
    addresses[params.addressId] = text;
    say.step("addressSaved");
  })],

  phone: ({ say }) => ["Log in", form([["phone", "Your phone number", { type: "tel", placeholder: "0790000000" }]], "Send me a code", (fields) => say.step("phoneEntered", fields))],

  // The app's own backend would check the code and issue a token. Here any code is accepted.
  code: ({ params, say }) => ["Your code", h("p", { class: "quiet" }, `We sent a code to ${params.phone}. Any four digits will do.`),
    form([["code", "Code", { inputmode: "numeric", pattern: "\\d{4}" }]], "Log in", ({ code }) => say.token(`token-${code}`))],

  address: ({ say, flow }) => ["Where to?", h("p", { class: "choice" }, addresses[chosen(flow).addressId] ?? addresses.home),
    button("Another address", () => say.step("addressChangeRequested")), button("Next", () => say.step("addressConfirmed"), { class: "primary" })],

  timeSlot: ({ say }) => ["When?", h("ul", {}, Object.entries(slots).map(([slot, text]) => row(text, "", () => say.step("slotPicked", { slot }))))],

  payment: ({ say, node, pending }) => {
    const isPaying = pending.some((one) => one.kind === "load" && one.node === node.id);
    return ["Payment", h("p", { class: "price" }, price(basket.total)), h("p", { class: "quiet" }, "The bank of this example refuses what is delivered in the evening."),
      button(isPaying ? "The bank is asked…" : "Pay", () => say.step("paymentRequested"), { class: "primary", disabled: isPaying })];
  },

  confirm: ({ say }) => ["Paid", h("p", {}, `${basket.dishes.length} dishes, ${price(basket.total)}.`), button("Place the order", async () => {
    const answer = await say.step("orderPlaced", { orderId: 100 + (Date.now() % 900) });
    if (answer && answer.outcome !== "stale") basket.empty();
  }, { class: "primary" })],

  discard: ({ say }) => ["Leave the checkout?", h("p", {}, "What you chose will be lost."),
    h("div", { class: "answers" }, button("Stay", () => say.step("discardDeclined")), button("Leave", () => say.step("discardConfirmed"), { class: "danger" }))],

  paymentFailure: ({ params, say }) => ["The bank said no", h("p", {}, `Reason: ${params.reason}`),
    h("div", { class: "answers" }, button("Not now", () => say.step("paymentAbandoned")), button("Try again", () => say.step("paymentRequested"), { class: "primary" }))],

  expiryNotice: ({ say }) => ["Too late", h("p", {}, "The checkout is open for a quarter of an hour."), button("All right", () => say.step("noticeRead"), { class: "primary" })],

  promo: ({ params, say }) => [`Code ${params.code}`, h("p", {}, "Ten per cent off, only today."), button("Close", () => say.step("promoClosed"))],
};

/** The user's choices so far, from the tree. */
function chosen(flow) {
  return flow?.content?.value ?? {};
}

/** Shown on each screen of the home tab. */
export function basketBar(say) {
  const count = basket.dishes.length;
  return count > 0 && h("p", { class: "basket" }, button(`Checkout: ${count} ${count === 1 ? "dish" : "dishes"}, ${price(basket.total)}`,
    () => say.step("checkoutRequested"), { class: "primary" }));
}

