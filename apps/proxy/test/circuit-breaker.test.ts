import { describe, expect, it } from 'vitest';
import { CircuitBreaker, CircuitBreakers } from '../src/forward/circuit-breaker.js';

const anybody = { client: '', vehicle: '' };

/** Sends so many requests at once, of which the last so many fail. */
function send(breaker: CircuitBreaker, requests: number, failures: number, source = anybody, nowMs = 1000) {
  for (let index = 0; index < requests; index++) {
    const permit = breaker.admit(source, nowMs);
    if (permit !== null) breaker.settle(permit, index >= requests - failures, nowMs);
  }
  return breaker;
}

const opened = () => send(new CircuitBreaker(), 20, 20);

describe('the circuit breaker', () => {
  it.each([
    ['19 failures, too few to judge', 19, 19, 'closed'],
    ['10 failures of 20', 20, 10, 'open'],
    ['9 failures of 20', 20, 9, 'closed'],
    ['40 failures of 100', 100, 40, 'closed'],
    ['all of 20', 20, 20, 'open'],
  ])('after %s is as it should be', (_, requests, failures, state) => {
    expect(send(new CircuitBreaker(), requests, failures).state).toBe(state);
  });

  it('rejects requests for five seconds, then lets probes pass, and closes after a good one', () => {
    const breaker = opened();
    expect(breaker.admit(anybody, 5999)).toBeNull();
    expect(breaker.waitMs(3000)).toBe(3000);
    const probe = breaker.admit(anybody, 6000);
    expect(breaker.state).toBe('half-open');
    if (probe === null) throw new Error('no probe');
    breaker.settle(probe, false, 6100);
    expect(breaker.state).toBe('closed');
    send(breaker, 19, 19, anybody, 6200);
    expect(breaker.state).toBe('closed');
  });

  it('stays open for another five seconds after three failed probes, or three without an outcome', () => {
    for (const failed of [true, false]) {
      const breaker = opened();
      const probes = [6000, 6001, 6002].map((nowMs) => breaker.admit(anybody, nowMs));
      expect(breaker.admit(anybody, 6003)).toBeNull();
      if (failed) for (const probe of probes) if (probe !== null) breaker.settle(probe, true, 6100);
      const openMs = failed ? 11_100 : 11_000;
      expect(breaker.admit(anybody, openMs - 1)).toBeNull();
      expect(breaker.admit(anybody, openMs)).not.toBeNull();
    }
  });

  it('lets others probe while one client and one vehicle are probing', () => {
    const breaker = opened();
    expect(breaker.admit({ client: 'a', vehicle: '1' }, 6000)).not.toBeNull();
    expect(breaker.admit({ client: 'a', vehicle: '2' }, 6000)).toBeNull();
    expect(breaker.admit({ client: 'b', vehicle: '1' }, 6000)).toBeNull();
    expect(breaker.admit({ client: 'b', vehicle: '2' }, 6000)).not.toBeNull();
  });

  it('ignores requests from before the opening while it probes', () => {
    const breaker = new CircuitBreaker();
    const early = Array.from({ length: 4 }, () => breaker.admit(anybody, 900));
    send(breaker, 20, 20);
    expect(breaker.admit(anybody, 6000)).not.toBeNull();
    const [good, ...bad] = early;
    for (const permit of bad) if (permit !== null) breaker.settle(permit, true, 6050);
    expect(breaker.state).toBe('half-open');
    if (good !== null && good !== undefined) breaker.settle(good, false, 6060);
    expect(breaker.state).toBe('half-open');
  });

  it('forgets what is older than ten seconds', () => {
    const breaker = send(new CircuitBreaker(), 19, 19);
    send(breaker, 1, 1, anybody, 12_000);
    expect(breaker.state).toBe('closed');
  });
});

describe('the circuit breakers', () => {
  /** Sends 500 requests of these clients to a brand, with one outcome; gives the number of rejected ones. */
  const sendAs = (
    breakers: CircuitBreakers,
    brand: string,
    clients: readonly string[],
    vehicle: string,
    failed: boolean,
  ) => {
    let rejected = 0;
    for (let index = 0; index < 500; index++) {
      const client = clients[index % clients.length] ?? '';
      const admission = breakers.admit(brand, { client, vehicle }, 1000);
      if (typeof admission === 'number') rejected++;
      else breakers.settle(admission, failed, 1000);
    }
    return rejected;
  };

  it.each([
    ['one client', ['failing'], '', 'brand_a', 0],
    ['one vehicle, whichever client requests it', ['', 'a', 'b', 'c'], 'VIN-1', 'brand_a', 0],
    ['clients of one brand, for another brand', ['a', 'b', 'c', 'd'], '', 'brand_b', 0],
    ['several clients of a brand', ['a', 'b', 'c', 'd'], '', 'brand_a', 500],
  ])(
    'when requests fail of %s: %j, vehicle %s; of 500 good ones for %s, %d are rejected',
    (_, clients, vehicle, brand, rejected) => {
      const breakers = new CircuitBreakers();
      sendAs(breakers, 'brand_a', clients, vehicle, true);
      expect(sendAs(breakers, brand, ['honest'], 'VIN-2', false)).toBe(rejected);
    },
  );
});
