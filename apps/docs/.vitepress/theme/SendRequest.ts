import { defineComponent, h, onMounted, ref } from 'vue';

const shownCharacters = 20_000;

/** The first array of numbers at a dotted path of a value. */
function seriesAt(value: unknown, path: string): readonly number[] {
  const found = path.split('.').reduce<unknown>((node, key) => Object(node)[key], value);
  return Array.isArray(found) ? found.filter((sample) => typeof sample === 'number') : [];
}

/**
 * Sends the GET request of a sample to the proxy that serves the page, when that is on loopback; elsewhere the button is absent.
 * Shows status, time, the response, and the first signal of the first trip as a line.
 */
export const SendRequest = defineComponent(
  ({ path, brand, token, items, signal }: Record<'path' | 'brand' | 'token' | 'items' | 'signal', string>) => {
    const isLocal = ref(false);
    const summary = ref('');
    const body = ref('');
    const line = ref<readonly number[]>([]);
    onMounted(() => {
      isLocal.value = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
    });
    const send = async () => {
      const begin = performance.now();
      summary.value = 'Sending…';
      try {
        const headers = { Brand: brand, Authorization: `Bearer ${token}` };
        const response = await fetch(path, { headers, signal: AbortSignal.timeout(30_000) });
        const text = await response.text();
        summary.value = `HTTP ${response.status} in ${Math.round(performance.now() - begin)} ms, ${text.length} characters`;
        const data = JSON.parse(text);
        body.value = JSON.stringify(data, null, 1)
          .replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (_, list: string) => `[${list.replaceAll(/\s+/g, ' ')}]`)
          .slice(0, shownCharacters);
        const [trip] = items === '' ? [] : (data.data?.[items] ?? []);
        line.value = signal === '' ? [] : seriesAt(trip, signal);
      } catch (error) {
        summary.value = `No response: ${error instanceof Error ? error.message : 'failed'}`;
      }
    };
    const plot = () => {
      const [low, high] = [Math.min(...line.value), Math.max(...line.value)];
      const y = (value: number) => 70 - ((value - low) / (high - low || 1)) * 60;
      const points = line.value.map((value, index) => `${(index / line.value.length) * 400},${y(value).toFixed(1)}`);
      const label = `${signal} of the first trip, ${low} to ${high}`;
      return h('figure', { class: 'send-plot' }, [
        h('svg', { viewBox: '0 0 400 80', role: 'img', 'aria-label': label }, [
          h('polyline', { points: points.join(' '), class: 'vds-series-1' }),
        ]),
        h('figcaption', label),
      ]);
    };
    return () =>
      isLocal.value
        ? h('div', { class: 'send' }, [
            h('button', { type: 'button', onClick: send }, 'Send'),
            h('span', { role: 'status' }, summary.value),
            ...(line.value.length > 1 ? [plot()] : []),
            ...(body.value === '' ? [] : [h('pre', { tabindex: 0 }, body.value)]),
          ])
        : undefined;
  },
  { props: ['path', 'brand', 'token', 'items', 'signal'] },
);
