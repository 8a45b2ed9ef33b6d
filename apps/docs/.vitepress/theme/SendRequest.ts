import { VPButton } from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted, ref } from 'vue';
import { readableJson } from '../../build/markdown.ts';

/** The numbers of a list at a dotted path of a value. */
function seriesAt(value: unknown, path: string): readonly number[] {
  const found = path.split('.').reduce<unknown>((node, key) => Object(node)[key], value);
  return Array.isArray(found) ? found.filter((sample) => typeof sample === 'number') : [];
}

/** A series as a line. */
function plot(signal: string, series: readonly number[]) {
  const [low, high] = [Math.min(...series), Math.max(...series)];
  const y = (value: number) => 70 - ((value - low) / (high - low || 1)) * 60;
  const points = series.map((value, index) => `${(index / series.length) * 400},${y(value).toFixed(1)}`);
  const label = `${signal} of the first trip, ${low} to ${high}`;
  return h('figure', [
    h('svg', { viewBox: '0 0 400 80', role: 'img', 'aria-label': label }, h('polyline', { points: points.join(' ') })),
    h('figcaption', label),
  ]);
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
    const series = ref<readonly number[]>([]);
    onMounted(() => {
      isLocal.value = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
    });
    const send = async () => {
      const begin = performance.now();
      summary.value = 'Sending…';
      body.value = '';
      series.value = [];
      let text: string | undefined;
      try {
        const headers = { Brand: brand, Authorization: `Bearer ${token}` };
        const response = await fetch(path, { headers, signal: AbortSignal.timeout(30_000) });
        text = await response.text();
        summary.value = `HTTP ${response.status} in ${Math.round(performance.now() - begin)} ms, ${text.length} characters`;
        body.value = text.slice(0, 20_000);
        const parsed = JSON.parse(text);
        body.value = readableJson(parsed).slice(0, 20_000);
        series.value = seriesAt(parsed.data?.[items]?.[0], signal);
      } catch (error) {
        // A response that is not JSON is shown as it came.
        if (text === undefined) summary.value = `No response: ${error instanceof Error ? error.message : 'failed'}`;
      }
    };
    return () =>
      isLocal.value &&
      h('div', { class: 'send' }, [
        h(VPButton, { theme: 'alt', text: 'Send', onClick: send }),
        h('p', { role: 'status' }, summary.value),
        series.value.length > 1 && plot(signal, series.value),
        body.value && h('div', { class: 'language-json' }, h('pre', { tabindex: 0 }, h('code', body.value))),
      ]);
  },
  { props: ['path', 'brand', 'token', 'items', 'signal'] },
);
