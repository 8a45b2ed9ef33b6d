// Forty questions about vehicles: how a scripted agent gets each answer from the tools, and how the truth is computed from the responses
// of the API, without any code of `vds`. No model is asked: this shows what the tools give, not how well a model uses it.
import type { DrivingTrip, VehicleDataClient } from '@vehicle-data/client';

export type CallTool = (name: string, given: object) => Promise<Answer>;
/** A structured result, whose members are read by path. */
// biome-ignore lint/suspicious/noExplicitAny: what a tool returns is JSON, and its schema is checked by the client.
type Answer = any;

interface Kind {
  readonly question: string;
  readonly ask: (call: CallTool, name: string) => Promise<unknown>;
  readonly truth: (trips: Truth) => unknown;
}

/** What the API sent of one vehicle. */
export interface Truth {
  readonly week: readonly DrivingTrip[];
  readonly month: readonly DrivingTrip[];
  readonly sellname: string | undefined;
}

const days = { series: 'driving', from: '2026-03-02', to: '2026-03-08' };
const month = { series: 'driving', from: '2026-03-01', to: '2026-03-31' };

export async function readTruth(client: VehicleDataClient, vin: string): Promise<Truth> {
  const { vehicles } = await client.listVehicles();
  const { trips: week } = await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260308' });
  const windows = [
    ['20260301', '20260307'],
    ['20260308', '20260314'],
    ['20260315', '20260321'],
    ['20260322', '20260328'],
    ['20260329', '20260331'],
  ] as const;
  const parts = [];
  for (const [startDate, endDate] of windows) parts.push(await client.getDrivingData({ vin, startDate, endDate }));
  const byStart = (one: DrivingTrip, other: DrivingTrip) => startOf(one).localeCompare(startOf(other));
  return {
    week: week.toSorted(byStart),
    month: parts.flatMap(({ trips }) => trips).toSorted(byStart),
    sellname: vehicles.find((vehicle) => vehicle.vin === vin)?.sellname,
  };
}

const startOf = ({ triggerStartTime }: DrivingTrip) => String(triggerStartTime);
const readings = (trip: DrivingTrip | undefined) => (trip?.odometer?.value ?? []).map(Number);
const kmOf = (trip: DrivingTrip) => (readings(trip).at(-1) ?? 0) - (readings(trip)[0] ?? 0);
const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
const round = (value: number) => Math.round(value * 100) / 100;

const week = (call: CallTool, vehicle: string) => call('week_summary', { vehicle, to: days.to });
const list = (call: CallTool, vehicle: string) => call('list_trips', { vehicle, ...days });
const summary = async (call: CallTool, vehicle: string, trip: number) =>
  (await call('trip_summary', { vehicle, ...days, trip })).signals;

/** Asked of each of three vehicles. */
export const kinds: readonly Kind[] = [
  {
    question: 'How many trips were there in the week?',
    ask: async (call, name) => (await week(call, name)).total.trips,
    truth: ({ week }) => week.length,
  },
  {
    question: 'How many kilometers were they?',
    ask: async (call, name) => round((await week(call, name)).total.distance.value),
    truth: ({ week }) => round(sum(week.map(kmOf))),
  },
  {
    question: 'How long were they in all?',
    ask: async (call, name) => (await week(call, name)).total.duration.value,
    truth: ({ week }) => sum(week.map(({ tripLength }) => Number(tripLength))),
  },
  {
    question: 'On how many days was the vehicle driven?',
    ask: async (call, name) => (await week(call, name)).days.filter(({ trips }: Answer) => trips > 0).length,
    truth: ({ week }) => new Set(week.map((trip) => startOf(trip).slice(0, 10))).size,
  },
  {
    question: 'When did the longest trip start?',
    ask: async (call, name) =>
      (await list(call, name)).trips.toSorted((one: Answer, other: Answer) => other.durationMs - one.durationMs)[0]
        .startTime,
    truth: ({ week }) => {
      const [longest] = week.toSorted((one, other) => Number(other.tripLength) - Number(one.tripLength));
      return longest && startOf(longest);
    },
  },
  {
    question: 'When did the last trip start?',
    ask: async (call, name) => (await list(call, name)).trips.at(-1).startTime,
    truth: ({ week }) => week.at(-1)?.triggerStartTime,
  },
  {
    question: 'What was the hardest deceleration of the first trip?',
    ask: async (call, name) => (await summary(call, name, 1))['acceleration.longitudinal'].min,
    truth: ({ week }) => Math.min(...(week[0]?.acceleration?.longitudinal ?? []).map(Number)),
  },
  {
    question: 'How many samples has the odometer of the second trip?',
    ask: async (call, name) => (await summary(call, name, 2))['odometer.value'].samples,
    truth: ({ week }) => readings(week[1]).length,
  },
  {
    question: 'In how many samples of the first trip was the driver unbelted?',
    ask: async (call, name) => (await summary(call, name, 1))['seatbelt.driver'].values.unbelted ?? 0,
    truth: ({ week }) => (week[0]?.seatbelt?.driver ?? []).filter((value) => value === 'unbelted').length,
  },
  {
    question: 'What did the odometer read after the third trip?',
    ask: async (call, name) => (await summary(call, name, 3))['odometer.value'].max,
    truth: ({ week }) => readings(week[2]).at(-1),
  },
  {
    question: 'How many trips were there in March?',
    ask: async (call, name) => (await call('list_trips', { vehicle: name, ...month })).total,
    truth: ({ month }) => month.length,
  },
  {
    question: 'When did trip 30 of March start?',
    ask: async (call, name) => {
      const { nextCursor } = await call('list_trips', { vehicle: name, ...month });
      const { trips } = await call('list_trips', { vehicle: name, ...month, cursor: nextCursor });
      return trips.find(({ trip }: Answer) => trip === 30)?.startTime;
    },
    truth: ({ month }) => month[29]?.triggerStartTime,
  },
  {
    question: 'Which model is it?',
    ask: async (call, name) =>
      (await call('list_vehicles', {})).data.vehicles.find(({ vehicle }: Answer) => vehicle === name)?.sellname,
    truth: ({ sellname }) => sellname,
  },
];
