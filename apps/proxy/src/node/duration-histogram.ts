import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client';
import { type CallTallies, durationClasses } from './call-tallies.js';

const name = 'vds_proxy_call_duration_seconds';
const help = 'Time from the first byte sent to the service to the end of the answer.';
const shape = { name, help, labelNames: ['method', 'route'] as const, buckets: [...durationClasses], registers: [] };

type Label = 'method' | 'route' | 'le';
type Value = MetricValueWithName<Label>;

/** Numbers of one histogram. */
interface Filled {
  readonly labels: { readonly method: string; readonly route: string };
  seconds: number;
  count: number;
  readonly byClass: number[];
}

/** Durations by route and method, made from tallies when somebody asks. The library's own looks up its labels for each call. */
export class DurationHistogram extends Histogram<Label> {
  readonly #tallies: CallTallies;
  readonly #empty = new Histogram<Label>(shape);

  constructor(tallies: CallTallies) {
    super(shape);
    this.#tallies = tallies;
  }

  override async get(): Promise<MetricObjectWithValues<Value>> {
    return { ...(await this.#empty.get()), values: this.#filled().flatMap(valuesOf) };
  }

  /** What the registry asks for when it writes the text. */
  getForPromString(): Promise<MetricObjectWithValues<Value>> {
    return this.get();
  }

  #filled(): readonly Filled[] {
    const found = new Map<string, Filled>();
    for (const { method, route, sent, seconds, byClass } of this.#tallies.all()) {
      if (sent === 0) continue;
      const key = `${method} ${route}`;
      const filled = found.get(key) ?? {
        labels: { method, route },
        seconds: 0,
        count: 0,
        byClass: byClass.map(() => 0),
      };
      filled.seconds += seconds;
      filled.count += sent;
      for (const [place, calls] of byClass.entries()) filled.byClass[place] = (filled.byClass[place] ?? 0) + calls;
      found.set(key, filled);
    }
    return [...found.values()];
  }
}

/** Classes hold the calls of all smaller ones too, as Prometheus has it. */
function valuesOf({ labels, seconds, count, byClass }: Filled): Value[] {
  let soFar = 0;
  const classes = durationClasses.map((bound, place): Value => {
    soFar += byClass[place] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le: bound, ...labels }, value: soFar };
  });
  return [
    ...classes,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
