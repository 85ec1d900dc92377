// A drawing that can be zoomed and moved with the wheel, the pointer and keys.

export class View {
  constructor(svg) {
    this.svg = svg;
    svg.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(event.deltaY > 0 ? 1.15 : 0.87, this.#at(event)); }, { passive: false });
    svg.addEventListener("pointerdown", (event) => { this.held = event.isPrimary ? this.#at(event) : null; });
    svg.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) svg.addEventListener(name, () => { this.held = null; });
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a new drawing: as a whole if it fits without reduction, otherwise only its upper left part, where it begins. */
  measure(width, height) {
    this.size = { width, height };
    this.whole();
    const scale = this.svg.getScreenCTM()?.a ?? 1;
    if (scale > 0 && scale < 1) this.#set({ x: 0, y: 0, width: this.svg.clientWidth, height: this.svg.clientHeight });
  }

  whole() {
    if (this.size) this.#set({ x: 0, y: 0, ...this.size });
  }

  /** Zooms around the point `at`; a factor below 1 zooms in. */
  zoom(by, at = { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 }) {
    if (this.box.width * by < 120 || this.box.width * by > this.size.width * 4) return;
    const { x, y, width, height } = this.box;
    this.#set({ x: at.x - (at.x - x) * by, y: at.y - (at.y - y) * by, width: width * by, height: height * by });
  }

  /** Scrolls until a part is visible. `isNear`: also zooms in and centers it. */
  show(part, isNear = false) {
    if (isNear && this.box.width > 900) this.#set({ ...this.box, width: 900, height: (900 * this.box.height) / this.box.width });
    const { x, y, width, height } = this.box;
    const isIn = part.x >= x && part.y >= y && part.x + part.width <= x + width && part.y + part.height <= y + height;
    if (!isIn || isNear) this.#set({ ...this.box, x: part.x + part.width / 2 - width / 2, y: part.y + part.height / 2 - height / 2 });
  }

  #set(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  /** The position of the pointer in the drawing's coordinates. */
  #at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  #drag(event) {
    if (!this.held || event.buttons === 0) return;
    const now = this.#at(event);
    this.#set({ ...this.box, x: this.box.x + this.held.x - now.x, y: this.box.y + this.held.y - now.y });
  }

  #key(event) {
    const step = this.box.width / 12;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) this.#set({ ...this.box, x: this.box.x + moves[event.key][0], y: this.box.y + moves[event.key][1] });
    else if (event.key === "+" || event.key === "=") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "0") this.whole();
    else return;
    event.preventDefault();
  }
}
