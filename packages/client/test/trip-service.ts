import { failed, stubbed, success } from './service.ts';

/** First and last day of a request, yyyyMMdd. */
export type Window = readonly [from: string, to: string];

export const trip = (day: string, time = '08:00:00.000') => ({
  triggerStartTime: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time}Z`,
  tripLength: 1_000,
});

/** A client of a service with the trips, or the error code, that a function gives for a window of a vehicle. */
export function serviceWith(
  respond: (window: Window, vin: string) => readonly unknown[] | string | Promise<readonly unknown[]>,
) {
  const windows: Window[] = [];
  const load = { underWay: 0, most: 0 };
  const fetch = async (url: string) => {
    const { pathname, searchParams } = new URL(url);
    const window = [`${searchParams.get('startDate')}`, `${searchParams.get('endDate')}`] as const;
    windows.push(window);
    load.underWay += 1;
    load.most = Math.max(load.most, load.underWay);
    const trips = await respond(window, `${pathname.split('/')[3]}`);
    await new Promise(setImmediate);
    load.underWay -= 1;
    return typeof trips === 'string' ? failed(trips, 500) : new Response(success({ trips }));
  };
  return { ...stubbed('', { fetch }), fetch, windows, load };
}

export async function collect<T>(trips: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of trips) all.push(one);
  return all;
}
