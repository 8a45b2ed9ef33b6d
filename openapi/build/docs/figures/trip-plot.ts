import { type Figure, line, type Point, polyline, text } from './svg.ts';

/** A trip as the sandbox plays it, thinned out. Recorded once; a test compares it with what the sandbox plays today. */
export interface RecordedTrip {
  readonly triggerStartTime: string;
  /** Milliseconds. */
  readonly tripLength: number;
  /** One sample of so many is kept. */
  readonly everyNthSample: number;
  /** Samples by the dotted path of the signal. */
  readonly signals: Readonly<Record<string, readonly number[]>>;
}

/** How one signal is drawn. Units come from the operation table. */
interface Band {
  readonly signal: string;
  readonly ticks: readonly number[];
  readonly style: 1 | 2 | 3;
}

const bands: readonly Band[] = [
  { signal: 'engine.rpm', ticks: [0, 1500, 3000], style: 1 },
  { signal: 'acceleration.longitudinal', ticks: [-0.15, 0, 0.15], style: 2 },
  { signal: 'batteries.hv.voltage', ticks: [], style: 3 },
  { signal: 'odometer.value', ticks: [], style: 1 },
];
const left = 78;
const plotWidth = 770;
const bandHeight = 104;
const plotHeight = 66;
const top = 8;

/** A trip of the sandbox: several signals over one time axis. */
export function tripPlot(trip: RecordedTrip, units: ReadonlyMap<string, string>): Figure {
  const minutes = trip.tripLength / 60_000;
  const bottom = top + bands.length * bandHeight;
  const ticks = Array.from({ length: Math.floor(minutes / 2) + 1 }, (_, index) => index * 2);
  const x = (minute: number) => left + (minute / minutes) * plotWidth;
  return {
    width: left + plotWidth + 22,
    height: bottom + 40,
    alternative: `Four signals of one trip of ${Math.round(minutes)} minutes over the same time axis. Engine speed rises and falls with every stop and is zero at times, when the hybrid stands or drives on its battery; longitudinal acceleration swings around zero, with braking below it; the voltage of the high-voltage battery sags when the car accelerates and recovers when it brakes; the odometer only ever grows.`,
    caption: `A trip of the sandbox's hybrid, started ${trip.triggerStartTime}. Each line is one array of the answer, drawn over tripLength.`,
    shapes: [
      ...bands.flatMap((band, index) => drawBand(trip, band, top + index * bandHeight, units)),
      ...ticks.map((minute) =>
        text({ x: x(minute), y: bottom + 14 }, String(minute), { anchor: 'middle', size: 12, style: 'small' }),
      ),
      text({ x: left + plotWidth, y: bottom + 32 }, 'minutes since triggerStartTime', {
        anchor: 'end',
        size: 12,
        style: 'small',
      }),
    ],
  };
}

function drawBand(trip: RecordedTrip, band: Band, y: number, units: ReadonlyMap<string, string>): readonly string[] {
  const samples = trip.signals[band.signal];
  const unit = units.get(band.signal);
  if (samples === undefined || unit === undefined) throw new Error(`there is no signal ${band.signal} to plot`);
  const ticks =
    band.ticks.length > 0 ? band.ticks : [Math.floor(Math.min(...samples)), Math.ceil(Math.max(...samples))];
  const [low, high] = [Math.min(...samples, ...ticks), Math.max(...samples, ...ticks)];
  const plotTop = y + 24;
  const height = (value: number) => plotTop + plotHeight - ((value - low) / (high - low)) * plotHeight;
  const points = samples.map(
    (value, index): Point => ({ x: left + (index / (samples.length - 1)) * plotWidth, y: height(value) }),
  );
  return [
    text({ x: left, y: y + 14 }, `${band.signal}, ${unit}`, { style: `fill-${band.style}`, size: 13, bold: true }),
    ...ticks.map((tick) => line({ x: left, y: height(tick) }, { x: left + plotWidth, y: height(tick) })),
    ...ticks.map((tick) =>
      text({ x: left - 8, y: height(tick) + 4 }, String(tick), { anchor: 'end', size: 12, style: 'small' }),
    ),
    `<polyline points="${polyline(points)}" class="vds-series-${band.style}"/>`,
  ];
}
