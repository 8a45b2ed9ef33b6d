import type { View } from './lane-chart.js';

/** What pointer and keys do with lanes and bands. */
export interface Movable {
  readonly view: View;
  readonly moveTo: (position: number) => void;
  readonly showPart: (from: number, to: number) => void;
  readonly zoom: (factor: number) => void;
  readonly pan: (share: number) => void;
  readonly reset: () => void;
}

/** Below this way of the pointer, in pixels, a press is no brush. */
const brushFrom = 4;

/** The cursor follows the pointer, a drag zooms to what it spans, and the wheel zooms or moves with a modifier. */
export function listenToPointer(overlay: HTMLElement, brush: HTMLElement, target: Movable): void {
  const placeOf = ({ clientX }: MouseEvent) => {
    const { left, width } = overlay.getBoundingClientRect();
    const { from, to } = target.view;
    return from + Math.max(0, Math.min(1, (clientX - left) / width)) * (to - from);
  };
  let pressed: { readonly place: number; readonly x: number } | undefined;
  overlay.addEventListener('pointermove', (event) => {
    target.moveTo(placeOf(event));
    if (pressed === undefined || Math.abs(event.clientX - pressed.x) < brushFrom) return;
    const { from, to } = target.view;
    const [one, other] = [pressed.place, placeOf(event)].map((place) => ((place - from) / (to - from)) * 100);
    brush.hidden = false;
    brush.style.left = `${Math.min(one ?? 0, other ?? 0)}%`;
    brush.style.width = `${Math.abs((one ?? 0) - (other ?? 0))}%`;
  });
  overlay.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pressed = { place: placeOf(event), x: event.clientX };
    if (event.pointerType === 'mouse') overlay.setPointerCapture(event.pointerId);
  });
  const release = () => {
    const from = pressed?.place;
    const wasBrush = !brush.hidden;
    pressed = undefined;
    brush.hidden = true;
    return wasBrush ? from : undefined;
  };
  overlay.addEventListener('pointerup', (event) => {
    const place = placeOf(event);
    const from = release();
    if (from === undefined) target.moveTo(place);
    else target.showPart(Math.min(from, place), Math.max(from, place));
  });
  overlay.addEventListener('pointercancel', release);
  overlay.addEventListener('dblclick', () => target.reset());
  overlay.addEventListener(
    'wheel',
    (event) => {
      // Without a modifier the wheel scrolls the page, as everywhere.
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      target.moveTo(placeOf(event));
      const delta = event.deltaY || event.deltaX;
      if (event.shiftKey) target.pan(delta > 0 ? 0.15 : -0.15);
      else target.zoom(delta > 0 ? 1.25 : 0.8);
    },
    { passive: false },
  );
}

/** Zooms and moves by keys, wherever the focus is in the lanes. */
export function listenToKeys(element: HTMLElement, target: Movable): void {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => target.zoom(0.5),
    '-': () => target.zoom(2),
    '0': () => target.reset(),
    '[': () => target.pan(-0.25),
    ']': () => target.pan(0.25),
  };
  element.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLElement && event.target.closest('.scroll, select')) return;
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}
