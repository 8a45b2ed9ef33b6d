import { describe, expect, it } from 'vitest';
import { DriftReport } from '../src/observability/drift-report.js';
import { ResponseChecks } from '../src/response/response-check.js';
import { successBody } from './support/recording-upstream.ts';

const located = successBody({ location: { latitude: 8.25, longitude: 1, speed: { value: 1, unit: 'kph' } } });
const bodies: readonly (readonly [string, Uint8Array])[] = [
  ['right', Buffer.from(located)],
  ['right, with a member that nobody knows', Buffer.from(located.replace('{', '{"zebra":{"a":[1]},'))],
  ['out of a range', Buffer.from(located.replace('8.25', '91.5'))],
  ['of another type', Buffer.from(located.replace('8.25', '"8.25"'))],
  [
    'out of a range in two places',
    Buffer.from(located.replace('8.25', '91.5').replace('"longitude":1', '"longitude":999')),
  ],
  ['without what is required', Buffer.from('{"data":{}}')],
  [
    'right in the last of two places with one name',
    Buffer.from(located.replace('"latitude"', '"latitude":91.5,"latitude"')),
  ],
  ['cut', Buffer.from(located.slice(0, -3))],
  ['followed by more', Buffer.from(`${located} {}`)],
  ['right, after a byte order mark', Buffer.from(`\ufeff${located}`)],
  ['not UTF-8', Buffer.from(located.replace('{', '{"zebra":"\xff",'), 'latin1')],
  ['no JSON', Buffer.from('{nothing}')],
  [
    'right, with a member that is nested deeply',
    Buffer.from(located.replace('{', `{"zebra":${'['.repeat(800)}${']'.repeat(800)},`)),
  ],
];

function check(body: Uint8Array, length: number | null, pieces: number) {
  const drift = new DriftReport();
  const head = { status: 200, headers: ['content-type', 'application/json'], length, requestId: '' };
  const answer = new ResponseChecks('report', drift).begin('getLocation', head);
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) answer?.write(body.subarray(at, at + size));
  const ok = answer?.end();
  const { checked, skipped, overflow, findings } = drift.snapshot();
  return { ok, checked, skipped, overflow, findings: findings.map(({ first: _, last: __, ...rest }) => rest) };
}

describe('a short answer that is', () => {
  it.each(bodies)('%s is judged as one that flows by', (what, body) => {
    expect(body.length).toBeLessThanOrEqual(2048);
    const flowing = check(body, null, 1);
    expect(flowing.ok).toBe(what.startsWith('right'));
    expect(check(body, body.length, 1)).toEqual(flowing);
    expect(check(body, body.length, 3)).toEqual(check(body, null, 3));
  });
});
