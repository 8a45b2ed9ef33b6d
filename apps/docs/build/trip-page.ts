import { createVehicleDataClient } from '@vehicle-data/client';
import { createSandbox } from '@vehicle-data/sandbox';
import { readTrips, tripPageFile, tripSvg } from '@vehicle-data/trip-view';

/** The widths of the picture of the first screen: the column where it stands scales it up, so that no text is below 14 pixels. */
const widths = { column: 470, phone: 280 } as const;

/** The page with a link to the site above it. It is UTF-16. */
function withWayBack(page: Uint8Array): Uint8Array {
  const link = '<nav><a href="../">Vehicle Data Service: all docs</a></nav>';
  const html = Buffer.from(page).toString('utf16le');
  const body = '<body>\n';
  if (!html.includes(body)) throw new Error('the page of trips has no body to put a link into');
  const start = html.indexOf(body) + body.length;
  return Buffer.from(`${html.slice(0, start)}${link}${html.slice(start)}`, 'utf16le');
}

/** One week of a simulated vehicle: the trip explorer with the week inside, and its first trip as pictures. Every build gives the same bytes. */
export async function weekOfTrips(): Promise<
  { readonly page: Uint8Array } & Readonly<Record<keyof typeof widths, string>>
> {
  const sandbox = createSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });
  const client = createVehicleDataClient({
    baseUrl: 'http://sandbox',
    brand: 'brand_a',
    accessToken: 'demo-access-token',
    fetch: (request, init) => sandbox.fetch(new Request(request, init)),
  });
  const range = { vin: 'SANDB0XA000000003', startDate: '20260302', endDate: '20260308' };
  const [driving, powertrain] = await Promise.all([client.getDrivingData(range), client.getPowertrainData(range)]);
  const vehicle = 'Simulated hybrid';
  const ofPowertrain = powertrain.trips.map((trip) => ({ vehicle, series: 'powertrain' as const, trip }));
  const records = [...driving.trips.map((trip) => ({ vehicle, series: 'driving' as const, trip })), ...ofPowertrain];
  // The first screen shows the response of one request, so its picture has nothing of another.
  const [first] = readTrips(ofPowertrain).trips;
  if (!first) throw new Error('the sandbox has no trip in its week');
  const pictureOf = (width: number, signals?: readonly string[]) => tripSvg(first, { signals, width, labels: 'above' });
  return {
    page: withWayBack(await tripPageFile({ title: 'A week of trips', zone: 'UTC', records })),
    column: pictureOf(widths.column),
    // One lane, so that a phone shows it below the request.
    phone: pictureOf(widths.phone, ['batteries.hv.voltage']),
  };
}
