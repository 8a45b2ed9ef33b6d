// Tools over the trips of one vehicle in a range of days, and over its week. None returns raw samples.
import { pickSignals, pickTrip, type ReadTrip, readSeries, tripsOf } from '../commands/read-trips.js';
import { momentRecord, namedFacts } from '../commands/trip-facts.js';
import { headOf, headWithFacts } from '../commands/trips.js';
import { weekMoment, weekOf } from '../commands/week.js';
import { readDay, readRange } from '../days.js';
import { seriesCommands } from '../generated/commands.js';
import { pageOf } from './pages.js';
import { pictureOf } from './picture.js';
import type { VehicleNames } from './redact.js';
import { outputs } from './schemas.js';
import { type Agent, cursorProperty, type Result, register, type ToolFacts, vehicleProperty } from './tool.js';

/** A page of trips with their facts is half of what a result may have. */
const mostTrips = 25;
const mostMoments = 40;
const mostDays = 92;

const rangeProperties = {
  ...vehicleProperty,
  series: { type: 'string', enum: Object.keys(seriesCommands), description: 'Which signals.' },
  from: {
    type: 'string',
    description: `First day: 2026-03-01, today, yesterday or 7d (seven days ago). At most ${mostDays} days.`,
  },
  to: { type: 'string', description: 'Last day, included.' },
};
const tripProperties = {
  ...rangeProperties,
  trip: { type: 'integer', minimum: 1, description: 'Number in list_trips.' },
};
interface TripArguments extends Readonly<Record<'vehicle' | 'series' | 'from' | 'to', string>> {
  readonly zone?: string;
  readonly trip: number;
  readonly signals?: string;
  readonly cursor?: string;
}

interface TripTool extends ToolFacts {
  readonly run: (trips: readonly ReadTrip[], given: TripArguments, names: VehicleNames) => Result | Promise<Result>;
}

const tripTools: readonly TripTool[] = [
  {
    name: 'list_trips',
    title: 'List trips',
    description:
      'Trips of one vehicle in a range of days with facts of each, and how many moments it has of each kind. 25 a page; numbers are for trip_summary.',
    properties: { ...rangeProperties, ...cursorProperty },
    output: outputs.list_trips,
    run: (trips, { cursor, ...question }) => {
      const { first, page, ...rest } = pageOf(trips, mostTrips, question, cursor);
      const listed = page.map((trip, index) => headWithFacts(trip, first + index));
      return { record: { trips: listed, total: trips.length, ...rest } };
    },
  },
  {
    name: 'trip_summary',
    title: 'Summarize a trip',
    description:
      'Facts and moments of one trip, as far as this series tells them, and minimum, mean, maximum, share of missing samples and time basis of every signal. At most 40 moments. Never raw samples.',
    properties: tripProperties,
    output: outputs.trip_summary,
    run: (trips, given) => {
      const picked = pickTrip(trips, String(given.trip));
      const moments = picked.moments();
      return {
        record: {
          ...headOf(picked, trips.indexOf(picked)),
          facts: namedFacts(picked.facts()),
          moments: moments.slice(0, mostMoments).map(momentRecord),
          momentsTotal: moments.length,
          signals: picked.summary.signals,
        },
      };
    },
  },
  {
    name: 'plot_trip',
    title: 'Plot a trip',
    description: 'One trip as a picture (PNG): a lane for each unit, no peak hidden, assumed times marked.',
    properties: {
      ...tripProperties,
      signals: { type: 'string', description: 'Signals of trip_summary, separated by commas. Default all.' },
    },
    output: outputs.plot_trip,
    instead: 'choose fewer signals',
    run: async (trips, { vehicle, series: word, trip, signals }, names) => {
      const { svgOf } = await import('../commands/pictures.js');
      const series = readSeries(word);
      const picked = pickTrip(trips, String(trip));
      const { startTime } = headOf(picked, trip - 1);
      // As wide as a model can read.
      const svg = svgOf(vehicle, series, trips, { trip: String(trip), signals }, 600);
      const picture = await pictureOf(names.hide(svg));
      const { mimeType } = picture;
      return { record: { trip, startTime, signals: pickSignals(series, picked, signals), mimeType }, picture };
    },
  },
];

export function registerTripTools(agent: Agent): void {
  const { context, names, memory } = agent;
  const zone = { type: 'string', description: `IANA time zone of the days. Default ${context.zone(undefined)}.` };
  for (const tool of tripTools) {
    const facts = { ...tool, properties: { ...tool.properties, zone } };
    register<TripArguments>(agent, facts, ['zone', 'signals', 'cursor'], async (given, signal) => {
      const zoneId = context.zone(given.zone);
      const range = { vin: await names.vinOf(given.vehicle), ...readRange(given, zoneId, mostDays), zoneId };
      const ask = async () => tripsOf(readSeries(given.series), await context.client(), range, { signal });
      const trips = await memory.remember([given.series, range.vin, range.from, range.to, zoneId], ask);
      return tool.run(trips, given, names);
    });
  }
  registerWeek(agent, zone);
}

/** The last seven days of a vehicle, of both series. */
function registerWeek(agent: Agent, zone: object): void {
  const { context, names, memory } = agent;
  const tool = {
    name: 'week_summary',
    title: 'Summarize a week',
    description:
      'Seven days of one vehicle from both series: trips, distance, standing, belts, highest derived speed and counts of moments of each day, their total, and 40 moments at most, the rarest kind first.',
    properties: {
      ...vehicleProperty,
      to: { type: 'string', description: 'Last of the seven days: 2026-03-08, today (default) or yesterday.' },
      zone,
    },
    output: outputs.week_summary,
  };
  register<{ readonly vehicle: string; readonly to?: string; readonly zone?: string }>(
    agent,
    tool,
    ['to', 'zone'],
    async (given, signal) => {
      const zoneId = context.zone(given.zone);
      const to = readDay(given.to ?? 'today', '--to', zoneId);
      const vin = await names.vinOf(given.vehicle);
      const week = await memory.remember(['week', vin, to, zoneId], async () =>
        weekOf(await context.client(), { vin, to, zoneId }, signal),
      );
      const moments = week.moments.slice(0, mostMoments).map(weekMoment);
      return { record: { ...week, moments, momentsTotal: week.moments.length } };
    },
  );
}
