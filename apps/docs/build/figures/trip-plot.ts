import { type Figure, line, text } from './svg.ts';

/** A trip of the sandbox, thinned out. A test compares it with what the sandbox returns today. */
export interface RecordedTrip {
  readonly triggerStartTime: string;
  /** Milliseconds. */
  readonly tripLength: number;
  /** The file keeps every nth sample. */
  readonly everyNthSample: number;
  /** Samples by the dotted path of the signal. */
  readonly signals: Readonly<Record<string, readonly number[]>>;
}

const [left, plotWidth, bandHeight, plotHeight, top] = [78, 770, 104, 66, 8];

/** Several signals of one trip over one time axis. Units come from the operation table. */
export function tripPlot(trip: RecordedTrip, units: ReadonlyMap<string, string>): Figure {
  const minutes = trip.tripLength / 60_000;
  const bands = Object.entries(trip.signals);
  const bottom = top + bands.length * bandHeight;
  const ticks = Array.from({ length: Math.floor(minutes / 2) + 1 }, (_, index) => index * 2);
  const small = { size: 12, style: 'small' } as const;
  return {
    width: left + plotWidth + 22,
    height: bottom + 40,
    alternative: `Four signals of one trip of ${Math.round(minutes)} minutes over the same time axis. Engine speed rises and falls with every stop and is zero when the hybrid stands or uses its battery. Longitudinal acceleration swings around zero. The voltage of the high-voltage battery drops when the car accelerates and recovers when it brakes. The odometer only grows.`,
    caption: `A trip of the sandbox's hybrid, started ${trip.triggerStartTime}. Each line is every ${trip.everyNthSample}th sample of one array of the response.`,
    shapes: [
      ...bands.flatMap(([signal, samples], index) => drawBand(signal, samples, index, units.get(signal))),
      ...ticks.map((minute) =>
        text(left + (minute / minutes) * plotWidth, bottom + 14, String(minute), { ...small, anchor: 'middle' }),
      ),
      text(left + plotWidth, bottom + 32, 'minutes since triggerStartTime', { ...small, anchor: 'end' }),
    ],
  };
}

function drawBand(
  signal: string,
  samples: readonly number[],
  index: number,
  unit: string | undefined,
): readonly string[] {
  if (unit === undefined) throw new Error(`the contract has no signal ${signal}`);
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  const color = `${(index % 3) + 1}` as '1' | '2' | '3';
  const plotTop = top + index * bandHeight + 24;
  const height = (value: number) => plotTop + plotHeight - ((value - low) / (high - low)) * plotHeight;
  return [
    text(left, plotTop - 10, `${signal}, ${unit}`, { style: `fill-${color}`, bold: true }),
    ...[low, high].flatMap((tick) => [
      line(
        [
          [left, height(tick)],
          [left + plotWidth, height(tick)],
        ],
        'grid',
      ),
      text(left - 8, height(tick) + 4, String(tick), { anchor: 'end', size: 12, style: 'small' }),
    ]),
    line(
      samples.map((value, at) => [left + (at / (samples.length - 1)) * plotWidth, height(value)] as const),
      `series-${color}`,
    ),
  ];
}
