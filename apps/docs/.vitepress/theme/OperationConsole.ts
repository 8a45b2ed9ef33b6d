import { VPButton } from 'vitepress/theme-without-fonts';
import { computed, defineComponent, h, onMounted, reactive, ref } from 'vue';
import { readableJson } from '../../build/markdown.ts';
import type { ConsoleParameter, ConsoleSpec } from '../../build/pages/console.ts';
import { live, resetSandbox, sandboxOfPage } from './live.ts';

const zones = ['UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Seoul'];
const targets = { page: 'Sandbox in this page', proxy: 'Proxy of this site' } as const;

/** `20260302` as an input of dates has it, and back. */
const dashed = (date: string) => date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
const undashed = (date: string) => date.replaceAll('-', '');

/**
 * The console of one operation: its request with the parameters in place, sent to the sandbox that runs inside the page or, where the page comes
 * from a proxy on this machine, to that. A proxy never gets a DELETE from here: the console says what it would do.
 */
export const OperationConsole = defineComponent(
  (props: { readonly spec: string }) => {
    const spec: ConsoleSpec = JSON.parse(props.spec);
    const values = reactive<Record<string, string>>(
      Object.fromEntries(spec.parameters.map(({ name, value }) => [name, value])),
    );
    // What a reader did before the page works would be lost, so until then the fields take nothing.
    const isReady = ref(false);
    const isLocal = ref(false);
    const target = ref<keyof typeof targets>('page');
    const origin = ref(spec.baseUrl);
    onMounted(() => {
      isReady.value = true;
      isLocal.value = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
      if (!isLocal.value) return;
      target.value = 'proxy';
      origin.value = location.origin;
    });
    const isRead = spec.method === 'GET';
    const query = computed(() =>
      spec.parameters
        .filter(({ name, in: place }) => place === 'query' && values[name])
        .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
        .join('&'),
    );
    const address = computed(() => {
      const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
      return query.value === '' ? path : `${path}?${query.value}`;
    });
    const brands = [...new Set(spec.vehicles.map(({ brand }) => brand))];
    const ofBrand = computed(() => spec.vehicles.filter(({ brand }) => brand === values['Brand']));
    const show = (summary: string, body = '', headers: readonly (readonly [string, string])[] = []) => {
      live.value = { spec, summary, body, headers };
      // On a phone, the response is below the fold.
      const summaryOnPage = document.querySelector('.live-summary');
      if (summaryOnPage && summaryOnPage.getBoundingClientRect().top > innerHeight - 120)
        summaryOnPage.scrollIntoView();
    };

    /** What a DELETE would do. It is not sent. */
    const explain = () => {
      const { vin = '', Brand: brand = '' } = values;
      const effect = vin
        ? `It would stop sharing of one vehicle, ${vin} of ${brand}. No further data of it could be read until its owner shares it again.`
        : `Without ${spec.narrowedBy} it would stop sharing of EVERY vehicle of ${brand}: in the sandbox, these are ${ofBrand.value.map((one) => one.vin).join(', ')}. The proxy rejects it by default.`;
      show(`Nothing was sent. ${effect}`, `${spec.method} ${address.value}\nBrand: ${brand}\nAuthorization: Bearer …`);
    };

    const send = async () => {
      if (!isRead && target.value === 'proxy') return explain();
      show(target.value === 'page' ? 'Starting the sandbox in this page…' : 'Sending…');
      let shown = '';
      try {
        const respond = target.value === 'page' ? (await sandboxOfPage()).fetch : fetch;
        const begin = performance.now();
        const request = new Request(origin.value + address.value, {
          method: spec.method,
          headers: { Brand: values['Brand'] ?? '', Authorization: `Bearer ${spec.token}` },
          signal: AbortSignal.timeout(30_000),
        });
        const response = await respond(request);
        const text = await response.text();
        const size = text.length.toLocaleString('en-US');
        shown = `HTTP ${response.status} in ${Math.round(performance.now() - begin)} ms, ${size} characters, from the ${target.value === 'page' ? 'sandbox in this page' : 'proxy'}`;
        const headers = [...response.headers].toSorted();
        show(shown, text, headers);
        show(shown, readableJson(JSON.parse(text)), headers);
      } catch (error) {
        // A response that is not JSON is shown as it came.
        if (shown === '') show(`No response: ${error instanceof Error ? error.message : 'failed'}`);
      }
    };

    const choose = (name: string, chosen: string) => {
      values[name] = chosen;
      const first = ofBrand.value[0];
      if (name === 'Brand' && 'vin' in values && first && !ofBrand.value.some(({ vin }) => vin === values['vin']))
        values['vin'] = first.vin;
    };
    const field = ({ name, kind, required }: ConsoleParameter) => {
      const label = `${name}${required ? '' : ' (optional)'}`;
      const onInput = ({ target: input }: Event) => {
        if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement)
          choose(name, kind === 'date' ? undashed(input.value) : input.value.trim());
      };
      const id = `console-${name}`;
      const offered =
        kind === 'vehicle' ? ofBrand.value.map(({ vin, type }) => [vin, type]) : zones.map((zone) => [zone, zone]);
      const input =
        kind === 'brand'
          ? h(
              'select',
              { value: values[name], onChange: onInput },
              brands.map((brand) => h('option', { value: brand }, brand)),
            )
          : kind === 'date'
            ? h('input', { type: 'date', value: dashed(values[name] ?? ''), onInput })
            : h('input', {
                type: 'text',
                value: values[name],
                list: id,
                spellcheck: false,
                autocomplete: 'off',
                onInput,
              });
      const list = kind === 'vehicle' || kind === 'zone';
      return h('label', { class: kind }, [
        h('span', label),
        input,
        list &&
          h(
            'datalist',
            { id },
            offered.map(([value, text]) => h('option', { value }, text)),
          ),
      ]);
    };
    const reset = () => {
      resetSandbox();
      show('The sandbox in this page is as new.');
    };
    const choices = () => (isLocal.value ? (['proxy', 'page'] as const) : (['page'] as const));

    return () =>
      h(
        'form',
        {
          class: ['console', spec.method.toLowerCase()],
          'aria-label': 'Try it',
          onSubmit: (event: Event) => {
            event.preventDefault();
            void send();
          },
        },
        [
          h('p', { class: 'address' }, [h('strong', spec.method), ' ', h('code', address.value)]),
          h('fieldset', { class: 'fields', disabled: !isReady.value, 'aria-label': 'Parameters' }, [
            ...spec.parameters.map(field),
            h('label', [
              h('span', 'Send to'),
              h(
                'select',
                {
                  value: target.value,
                  onChange: ({ target: input }: Event) => {
                    if (input instanceof HTMLSelectElement) target.value = input.value === 'proxy' ? 'proxy' : 'page';
                  },
                },
                choices().map((one) => h('option', { value: one }, targets[one])),
              ),
            ]),
          ]),
          h('fieldset', { class: 'actions', disabled: !isReady.value }, [
            h(VPButton, {
              theme: 'brand',
              tag: 'button',
              text: isRead || target.value === 'page' ? 'Send' : 'Show what it would do',
              type: 'submit',
            }),
            target.value === 'page' &&
              h(VPButton, { theme: 'alt', tag: 'button', type: 'button', text: 'Reset the sandbox', onClick: reset }),
            h(
              'span',
              target.value === 'page'
                ? 'A simulated fleet that runs inside this page: no request leaves it, no car is concerned.'
                : isRead
                  ? 'Sent to the proxy that serves this page.'
                  : 'Nothing is sent to a proxy from here.',
            ),
          ]),
        ],
      );
  },
  { props: ['spec'] },
);
