// The headers of rate limits that the contract states, beside those that clients of the proxy receive.
import { openContract, type Place } from '@vehicle-data/openapi/model';
import { expect, it } from 'vitest';
import { CountedLimits } from '../src/limits/rate-limits.js';
import { responseHeaders } from '../src/response/response-headers.js';
import { startUpstream, successBody } from './support/servers.ts';
import { byName, clientOf, locationOf, startProxy } from './support/set-up.ts';

const contract = await openContract();
const isOfLimits = (name: string) => name.includes('ratelimit');

/** The headers of rate limits that the contract states for a response, lower-case. */
function statedIn(responses: Place, status: number): ReadonlyMap<string, Place> {
  const headers = responses.child(String(status)).resolved('responses').child('headers').entries();
  const named = headers.map(([name, header]) => [name.toLowerCase(), header.resolved('headers')] as const);
  return new Map(named.filter(([name]) => isOfLimits(name)));
}

/** A value without its numbers and times, and a list of one kind of members once. */
const formOf = (value: string) => new Set(value.replaceAll(/\d+/g, '0').split(', '));

/** The quota that a service with limits of its own says. */
const ofService = { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '598', 'x-ratelimit-reset': '1772000000' };

it('clients receive exactly the headers of rate limits that the contract states, in the form of its examples', async () => {
  const upstream = await startUpstream(() => ({ headers: ofService, body: successBody({}) }));
  const rate = { calls: 1, seconds: 60 };
  const limits = new CountedLimits(null, {
    perClient: { calls: 2, seconds: 60 },
    perVehicle: rate,
  });
  const upstreamAuth = { kind: 'static', accessToken: 'own' } as const;
  const proxy = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, clientAuth: byName, limits });
  const call = () => clientOf(proxy.url, {})(locationOf(), { brand: 'brand_a', 'x-api-key': 'ada' }, 'GET');
  const responses = contract.child('paths').child('/v1/vehicles/{vin}/locations').child('get').child('responses');

  const [first, rejected] = [await call(), await call()];
  expect([first.status, rejected.status]).toEqual([200, 429]);
  const stated = statedIn(responses, 200);
  expect([...first.headers.keys()].filter(isOfLimits).toSorted()).toEqual([...stated.keys()].toSorted());
  for (const [name, header] of stated) {
    const [example] = header.child('schema').child('examples').items();
    expect(formOf(first.headers.get(name) ?? ''), name).toEqual(formOf(example?.string() ?? ''));
  }
  // The service was not asked, so its own quota is not known.
  const ofProxy = [...stated.keys()].filter((name) => !(name in ofService));
  expect([...rejected.headers.keys()].filter(isOfLimits).toSorted()).toEqual(ofProxy.toSorted());
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const name of ofProxy) expect([...statedIn(responses, 429).keys()]).toContain(name);
});

it('every operation states them on every response, and the proxy passes on no others but those of an earlier draft', () => {
  const names = new Set<string>();
  for (const [, item] of contract.child('paths').entries())
    for (const [, operation] of item.entries()) {
      const responses = operation.child('responses');
      const all = responses.entries().map(([status]) => [...statedIn(responses, Number(status)).keys()].join());
      expect(new Set(all).size).toBe(1);
      for (const name of statedIn(responses, 200).keys()) names.add(name);
    }
  // https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-06: not seen on services of this kind.
  const earlier = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  expect([...responseHeaders].filter(isOfLimits).toSorted()).toEqual([...names, ...earlier].toSorted());
});
