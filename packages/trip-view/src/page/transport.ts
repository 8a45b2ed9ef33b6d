import { h } from './element.js';
import type { StackView } from './stack-view.js';

const speeds = [1, 10, 60, 300];

/** Play and pause, and how fast: the playhead runs through the trip. */
export function transport(stack: StackView, axis: 'time' | 'index'): { element: HTMLElement; stop: () => void } {
  // Samples have no time of their own on an index axis: there, one second plays so many samples.
  const unitsPerSecond = axis === 'time' ? 1000 : 1;
  const speed = h(
    'select',
    { 'aria-label': 'Speed of the replay' },
    ...speeds.map((factor) =>
      h('option', { value: factor, selected: factor === 60 }, axis === 'time' ? `${factor} ×` : `${factor} samples/s`),
    ),
  );
  const button = h('button.play', { 'aria-pressed': 'false' }, '▶ Replay');
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    button.setAttribute('aria-pressed', 'false');
    button.textContent = '▶ Replay';
  };
  button.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    button.setAttribute('aria-pressed', 'true');
    button.textContent = '❚❚ Pause';
    if (stack.position >= stack.extent * 0.999) stack.moveTo(0);
    // With reduced motion the playhead moves in steps of a second instead of gliding.
    const intervalMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 40;
    let last = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      stack.moveTo(stack.position + ((now - last) / 1000) * Number(speed.value) * unitsPerSecond);
      last = now;
      if (stack.position >= stack.extent) stop();
    }, intervalMs);
  });
  return { element: h('span', button, ' ', speed), stop };
}
