import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../src/circuit-breaker.js';

/** A breaker that has seen so many calls at once, of which so many failed. */
function after(calls: number, failures: number, nowMs = 1000): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let call = 0; call < calls; call++) breaker.settle(call >= calls - failures, nowMs);
  return breaker;
}

describe('the circuit breaker', () => {
  it.each([
    ['19 failures, too few to judge', 19, 19, 'closed'],
    ['10 failures of 20', 20, 10, 'open'],
    ['9 failures of 20', 20, 9, 'closed'],
    ['40 failures of 100', 100, 40, 'closed'],
    ['all of 20', 20, 20, 'open'],
  ])('after %s is as it should be', (_, calls, failures, state) => {
    expect(after(calls, failures).state).toBe(state);
  });

  it('holds calls off for five seconds, then lets one trial pass and no other', () => {
    const breaker = after(20, 20);
    expect(breaker.admits(5999)).toBe(false);
    expect(breaker.waitMs(3000)).toBe(3000);
    expect(breaker.admits(6000)).toBe(true);
    expect(breaker.admits(6001)).toBe(false);
    expect(breaker.state).toBe('half-open');
  });

  it('closes after a good trial, and starts to count anew', () => {
    const breaker = after(20, 20);
    breaker.admits(6000);
    breaker.settle(false, 6100);
    expect(breaker.admits(6101)).toBe(true);
    breaker.settle(true, 6102);
    expect(breaker.state).toBe('closed');
  });

  it('stays open for another five seconds after a failed trial', () => {
    const breaker = after(20, 20);
    breaker.admits(6000);
    breaker.settle(true, 6100);
    expect(breaker.admits(11_099)).toBe(false);
    expect(breaker.admits(11_100)).toBe(true);
  });

  it('lets the next trial pass when the caller of the last one left without an outcome', () => {
    const breaker = after(20, 20);
    breaker.admits(6000);
    expect(breaker.admits(11_000)).toBe(true);
  });

  it('forgets what is older than ten seconds', () => {
    const breaker = after(19, 19);
    breaker.settle(true, 12_000);
    expect(breaker.state).toBe('closed');
  });
});
