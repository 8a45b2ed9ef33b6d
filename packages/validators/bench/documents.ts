// Documents for the streaming checker, each under the name that it has on docs/performance-validators.md.
import type { OperationId } from '@vehicle-data/openapi';
import { payload, payloads, random } from './payloads.ts';

/** A response as text, and, of one that violates the contract, that it does. */
interface BenchDocument {
  readonly operation: OperationId;
  readonly text: string;
  readonly wrong?: true;
}

const { operation, text: week } = payloads['driving week'];

/** The driving response after a change to every list of samples. */
function changed(change: (samples: readonly unknown[]) => readonly unknown[]): BenchDocument {
  const isSamples = (value: unknown): value is unknown[] => Array.isArray(value) && typeof value[0] !== 'object';
  const text = JSON.stringify(JSON.parse(week, (_, value: unknown) => (isSamples(value) ? change(value) : value)));
  return { operation, text };
}

/** A week with what services do send: in its lists of one name, or in all of its groups of another. */
function dirty(name: keyof typeof payloads, list: string, group: string): Readonly<Record<string, BenchDocument>> {
  const { operation, text } = payloads[name];
  const second = `("${list}":\\[[^,]*),[^,]*`;
  const signal = new RegExp(`"${group}":(\\{[^}]*\\})`, 'g');
  return {
    [`${name}, one violation`]: { operation, wrong: true, text: text.replace(new RegExp(second), '$1,-1') },
    [`${name}, a null in each trip`]: {
      operation,
      wrong: true,
      text: text.replace(new RegExp(second, 'g'), '$1,null'),
    },
    [`${name}, an unknown signal in each trip`]: { operation, text: text.replace(signal, '$&,"unknown":$1') },
  };
}

export const documents: Readonly<Record<string, BenchDocument>> = {
  'driving week': payloads['driving week'],
  'driving, 28 trips': payload(operation, 28, 3720),
  ...dirty('driving week', 'value', 'odometer'),
  'powertrain week': payloads['powertrain week'],
  ...dirty('powertrain week', 'rpm', 'engine'),
  'pretty-printed': { operation, text: JSON.stringify(JSON.parse(week), null, 2) },
  'numbers of 17 digits': changed((samples) =>
    samples.map((one) => (typeof one === 'number' ? one * (1 - random() * 1e-9) : one)),
  ),
  'random enumeration values': changed((samples) => {
    const known = [...new Set(samples)];
    return typeof samples[0] === 'string' ? samples.map(() => known[Math.floor(random() * known.length)]) : samples;
  }),
  'driving 30 s': payloads['driving 30 s'],
};
