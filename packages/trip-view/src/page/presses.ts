// A click is lost where its element is made again between its press and its release. What is shown anew while trips are read waits for that.

/** For how long at most, in milliseconds: a release outside the window is not seen. */
const mostMs = 2000;
const lookMs = 20;

/** Returns what resolves once nothing is pressed. */
export function watchPresses(): () => Promise<void> {
  let isPressed = false;
  addEventListener('pointerdown', () => (isPressed = true), true);
  for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, () => (isPressed = false), true);
  return async () => {
    const latest = performance.now() + mostMs;
    while (isPressed && performance.now() < latest) await new Promise((resolve) => setTimeout(resolve, lookMs));
  };
}
