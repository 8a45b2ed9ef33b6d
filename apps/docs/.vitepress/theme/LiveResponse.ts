import { VPButton } from 'vitepress/theme-without-fonts';
import { computed, defineComponent, h, onMounted, ref } from 'vue';
import { live } from './live.ts';

const shownCharacters = 20_000;
const height = 260;
const frame = { left: 64, right: 12, top: 12, bottom: 46 };

/** The value at a dotted path. */
const valueAt = (value: unknown, path: string) =>
  path
    .split('.')
    .reduce<unknown>((node, key) => (node === null || node === undefined ? undefined : Object(node)[key]), value);

/** Round values in a range, about as many as asked for. */
function ticks(low: number, high: number, count: number): readonly number[] {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, index) =>
    Number((first + index * step).toPrecision(10)),
  );
}

/** A series of the first trip as a line between axes: its unit, and the number of the sample. */
function chart(path: string, unit: string, series: readonly (number | null)[]) {
  const numbers = series.filter((value) => value !== null);
  // As wide as its column, so that its text keeps its size.
  const width = innerWidth < 640 ? 342 : 500;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const span = high - low || 1;
  const x = (index: number) =>
    frame.left + (index / Math.max(series.length - 1, 1)) * (width - frame.left - frame.right);
  const y = (value: number) => height - frame.bottom - ((value - low) / span) * (height - frame.top - frame.bottom);
  // A sample that is missing leaves a gap.
  const line = series.map((value, index) => {
    if (value === null) return '';
    return `${index === 0 || series[index - 1] === null ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  const label = `${path} of the first trip in ${unit}, ${low} to ${high}, ${series.length} samples`;
  return h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, [
    ...ticks(low, high, 4).map((value) => [
      h('line', { x1: frame.left, x2: width - frame.right, y1: y(value), y2: y(value) }),
      h('text', { x: frame.left - 8, y: y(value) + 5, 'text-anchor': 'end' }, String(value)),
    ]),
    ...ticks(0, series.length - 1, width / 100).map((value) =>
      h('text', { x: x(value), y: height - frame.bottom + 20, 'text-anchor': 'middle' }, String(value)),
    ),
    h('text', { x: frame.left, y: height - 6 }, 'Sample of the first trip'),
    h('path', { d: line.join('') }),
  ]);
}

/** The place of a response: the sample of the page, until the console of the page has one that is live. */
export const LiveResponse = defineComponent(
  (props: { readonly operation: string }, { slots }) => {
    const signal = ref('');
    const current = computed(() => (live.value?.spec.operationId === props.operation ? live.value : undefined));
    onMounted(() => {
      live.value = undefined;
    });
    const trip = computed(() => {
      if (!current.value || current.value.spec.items === '') return undefined;
      try {
        return valueAt(JSON.parse(current.value.body), `data.${current.value.spec.items}.0`);
      } catch {
        return undefined;
      }
    });
    const charts = () => {
      const signals = current.value?.spec.signals ?? [];
      const chosen = signals.find(({ path }) => path === signal.value) ?? signals[0];
      const series = chosen && valueAt(trip.value, chosen.path);
      if (!chosen || !Array.isArray(series) || series.length < 2) return undefined;
      const numbers = series.map((value) => (typeof value === 'number' ? value : null));
      if (numbers.every((value) => value === null)) return undefined;
      const onChange = ({ target }: Event) => {
        if (target instanceof HTMLSelectElement) signal.value = target.value;
      };
      return h('figure', [
        h('label', [
          'Signal ',
          h(
            'select',
            { value: chosen.path, onChange },
            signals.map(({ path, unit }) => h('option', { value: path }, `${path} (${unit})`)),
          ),
        ]),
        chart(chosen.path, chosen.unit, numbers),
      ]);
    };
    return () => [
      h('p', { class: 'live-summary', role: 'status' }, current.value?.summary ?? ''),
      // The sample stays in the page, so that nothing is lost when the reader wants it back.
      h('div', { class: { 'live-sample': true, hidden: (current.value?.body ?? '') !== '' } }, slots['default']?.()),
      current.value !== undefined &&
        current.value.body !== '' &&
        h('div', { class: 'live' }, [
          charts(),
          current.value.headers.length > 0 &&
            h('details', [
              h('summary', 'Headers'),
              h('pre', { tabindex: 0 }, current.value.headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
            ]),
          h(
            'div',
            { class: 'language-json' },
            h('pre', { tabindex: 0 }, h('code', current.value.body.slice(0, shownCharacters))),
          ),
          current.value.body.length > shownCharacters &&
            h('p', `The first ${shownCharacters.toLocaleString('en-US')} characters.`),
          h(VPButton, {
            theme: 'alt',
            text: 'Show the sample again',
            onClick: () => {
              live.value = undefined;
            },
          }),
        ]),
    ];
  },
  { props: ['operation'] },
);
