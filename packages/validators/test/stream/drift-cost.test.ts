// Drift must stay cheap: a list keeps its fast scan after a violation, and lists that the contract does not know have one too.
import { afterEach, expect, test, vi } from 'vitest';
import { TokenBytes } from '../../src/stream/token-bytes.js';
import { streamed } from './both-checkers.js';

const samples = 3000;
const numbers = Array.from({ length: samples }, (_, index) => index / 8);
const words = Array.from({ length: samples }, () => 'on');

function tripsWith(...groups: readonly object[]): Uint8Array {
  const trips = groups.map((group) => ({ triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 5000, ...group }));
  return Buffer.from(JSON.stringify({ data: { trips }, meta: { success: 'true' } }));
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['one sample out of range', { odometer: { value: numbers.with(5, -1) } }, false],
  ['a null among numbers', { odometer: { value: [null, ...numbers] } }, false],
  ['a null among choices', { ignition: { status: [null, ...words] } }, false],
  ['every seventh sample out of range', { odometer: { value: numbers.map((one, at) => (at % 7 ? one : -1)) } }, false],
  ['all samples out of range', { odometer: { value: numbers.map(() => -1) } }, false],
  ['nulls alone', { odometer: { value: numbers.map(() => null) } }, false],
  ['choices of which none is listed', { ignition: { status: words.map(() => 'up') } }, false],
  ['a list inside a list of numbers', { odometer: { value: [[numbers], ...numbers] } }, false],
  ['an unknown signal of numbers', { speed: { value: numbers } }, true],
  ['an unknown signal of text', { mode: { value: words } }, true],
  ['an unknown signal of booleans', { parked: { value: numbers.map((_, at) => at % 3 === 0) } }, true],
])('%s leaves all other samples to the fast scans', (_, group, ok) => {
  const tokens = vi.spyOn(TokenBytes.prototype, 'take');
  const bytes = tripsWith(group, { odometer: { value: numbers }, ignition: { status: words } });
  expect(streamed('getDrivingData', 200, bytes, []).verdict.ok).toBe(ok);
  // Names, text with rules and the few samples around a violation are read one by one; 6,000 samples are not.
  expect(tokens.mock.calls.length).toBeLessThan(60);
});

test('bytes that are not JSON end the check: what follows is not read', () => {
  const tokens = vi.spyOn(TokenBytes.prototype, 'take');
  const bytes = Buffer.from(`{"data":oops,"trips":[${numbers.map((value) => `{"at":${value}}`).join(',')}]}`);
  expect(streamed('getDrivingData', 200, bytes, [2000, 4000]).verdict.ok).toBe(false);
  expect(tokens.mock.calls.length).toBeLessThan(5);
});
