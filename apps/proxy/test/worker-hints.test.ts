import { afterEach, expect, it, vi } from 'vitest';
import { listen } from './support/listen.ts';
import { successBody } from './support/recording-upstream.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** A service that can be told to fail, and objects that two isolates share. */
async function twoIsolates() {
  const service = { failing: false, calls: 0, url: '' };
  const upstream = await listen((_, response) => {
    service.calls++;
    if (service.failing) response.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
  });
  cleanUp.push(upstream.close);
  const settings = {
    VDS_HOST: '127.0.0.1',
    VDS_UPSTREAM_URL: upstream.url,
    VDS_STORE: 'durable-object',
    VDS_LOG_LEVEL: 'silent',
  };
  const objects = new Objects(settings);
  const environment = { ...settings, VDS_STATE: objects };
  return { service, objects, one: await isolate(environment), two: await isolate(environment) };
}

async function callTimes(call: () => Promise<Response>, times: number): Promise<void> {
  for (let round = 0; round < times; round++) await call();
}

it('while all is well no isolate asks for hints', async () => {
  const { objects, one, two } = await twoIsolates();
  await callTimes(one, 50);
  await callTimes(two, 50);
  expect(objects.asked).toEqual([]);
});

it('an isolate that opens its breaker makes another judge sooner', async () => {
  const { service, objects, one, two } = await twoIsolates();
  vi.useFakeTimers({ toFake: ['performance'] });
  cleanUp.push(() => vi.useRealTimers());
  service.failing = true;
  await callTimes(one, 25);
  // The first failure was asked about at once; that it opened is told within the next second.
  vi.advanceTimersByTime(1000);
  expect((await one()).status).toBe(503);
  expect(objects.asked).toEqual(['trouble', 'trouble']);
  const before = service.calls;
  await callTimes(two, 10);
  expect((await two()).status).toBe(503);
  expect(service.calls - before).toBeLessThan(20);
  expect(objects.asked).toHaveLength(3);
});

it('a hint alone opens nothing', async () => {
  const { service, one, two } = await twoIsolates();
  service.failing = true;
  await callTimes(one, 25);
  service.failing = false;
  for (let round = 0; round < 30; round++) expect((await two()).status).toBe(200);
});

it('an object that does not answer holds up no call', async () => {
  const { service, objects, one } = await twoIsolates();
  objects.away = true;
  service.failing = true;
  expect((await one()).status).toBe(502);
  expect((await one()).status).toBe(502);
  expect(objects.asked).toEqual(['trouble']);
});
