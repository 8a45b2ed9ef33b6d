import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createService } from '../src/collect/service.ts';
import { readGiven } from '../src/config/options.ts';
import { readSettings } from '../src/config/settings.ts';

const vin = 'SANDB0XA000000001';

/** A service whose windows are of these trips; without any it has no data. */
async function serviceOf(trips: readonly unknown[] | undefined) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const meta = { code: 200, message: 'Success', success: 'true' };
    const error = { code: '4045', message: 'No data', details: [] };
    response.writeHead(trips ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(trips ? { data: { trips }, meta } : { error }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = readSettings(readGiven(['start', '--lake', 'x', '--base-url', url], {}), Date.now());
  return { service: createService(settings, { name: 'owner', brand: 'brand_a', tokenFile: null }), asked };
}

const window = { vin, startDate: '20260301', endDate: '20260308', zoneId: 'Europe/Berlin' };
const read = async (trips: readonly unknown[] | undefined, series: 'driving' | 'powertrain' = 'driving') => {
  const { service, asked } = await serviceOf(trips);
  return {
    trips: await service.readWindow({ ...window, series, brand: 'brand_a', signal: AbortSignal.timeout(10_000) }),
    asked,
  };
};

test('a window is one request, and has every trip as it was sent: also those without a start, and two of one start', async () => {
  const start = { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 60_000 };
  const sent = [{ tripLength: 5000 }, { ...start, odometer: { value: [1] } }, { ...start, odometer: { value: [2] } }];
  const { trips, asked } = await read(sent);
  expect(trips).toEqual(sent);
  expect(asked).toEqual([
    `/v1/vehicles/${vin}/driving/data?startDate=20260301&endDate=20260308&zoneId=Europe%2FBerlin`,
  ]);
});

test('a window without data has no trips, and one with an item that is no trip is an error, so that nothing is lost', async () => {
  expect((await read(undefined, 'powertrain')).trips).toEqual([]);
  await expect(read([null])).rejects.toMatchObject({ code: 'malformed-response' });
});
