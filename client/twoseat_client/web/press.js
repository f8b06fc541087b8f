/**
 * A second press at the same place, meant for the button that was there before: it reaches no button that has come under
 * the pointer since. It knows no game.
 */

const SECOND_PRESS_MS = 500;
/** Pixels within which two presses are at one place. */
const SAME_PLACE = 24;

/** Watches every press of a pointer before anything else hears of it. @param {Document} root */
export function guardPresses(root) {
  /** The last press, and the button that was meant. @type {{meant: Element | null, x: number, y: number, at: number}} */
  let last = { meant: null, x: 0, y: 0, at: -Infinity };
  let unmeant = false;

  root.addEventListener('pointerdown', (event) => {
    const { clientX: x, clientY: y } = event;
    const at = performance.now();
    const under = /** @type {Element} */ (event.target).closest('button, [role=button]');
    const again = at - last.at < SECOND_PRESS_MS && Math.hypot(x - last.x, y - last.y) < SAME_PLACE;
    unmeant = again && under !== null && last.meant instanceof HTMLButtonElement && under !== last.meant;
    last = { meant: unmeant ? last.meant : under, x, y, at };
    if (unmeant) event.stopPropagation();
  }, true);
  root.addEventListener('click', (event) => {
    if (!unmeant || !event.detail) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}
