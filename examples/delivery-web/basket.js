import { dishOf } from "./menu.js";

const name = "delivery-basket";
const listeners = new Set();

/** The basket belongs to the app: Cairn stores where the user is, not what the user buys. All tabs of the browser share it. */
export const basket = {
  get dishes() {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  },
  get total() {
    return this.dishes.reduce((sum, id) => sum + dishOf(id)[1], 0);
  },
  add(id) {
    localStorage.setItem(name, JSON.stringify([...this.dishes, id]));
    tell();
  },
  empty() {
    localStorage.removeItem(name);
    tell();
  },
  whenChanged(then) {
    listeners.add(then);
  },
};

function tell() {
  for (const then of listeners) then();
}

window.addEventListener("storage", (event) => event.key === name && tell());
