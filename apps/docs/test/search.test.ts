import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createSearch } from '../.vitepress/theme/search.ts';

const records = await readFile(new URL('../dist/search.json', import.meta.url), 'utf8');
const search = createSearch(JSON.parse(records));

// What people type, and the page that must be the first hit.
test.for([
  ['error 4002', 'errors/4002'],
  ['4002', 'errors/4002'],
  ['5006', 'errors/5006'],
  ['401', 'errors/401'],
  ['429', 'errors/429'],
  ['4011', 'errors/4011'],
  ['upstream-timeout', 'errors/upstream-timeout'],
  ['rate-limited', 'errors/rate-limited'],
  ['stop-all-not-allowed', 'errors/stop-all-not-allowed'],
  ['getDrivingData', 'operations/getDrivingData'],
  ['getdrivingdata', 'operations/getDrivingData'],
  ['listVehicles', 'operations/listVehicles'],
  ['stopDataSharing', 'operations/stopDataSharing'],
  ['getLocation', 'operations/getLocation'],
  ['current status', 'operations/getCurrentStatus'],
  ['timezone', 'guides/date-ranges'],
  ['time zone', 'guides/date-ranges'],
  ['zoneId', 'guides/date-ranges'],
  ['seven days', 'guides/date-ranges'],
  ['pagination', 'guides/date-ranges'],
  ['login', 'guides/authentication'],
  ['refresh token', 'guides/authentication'],
  ['oauth', 'guides/authentication'],
  ['revoke', 'guides/consent'],
  ['stop sharing', 'operations/stopDataSharing'],
  ['webhook', 'guides/not-specified'],
  ['cors', 'guides/faq'],
  ['csv', 'guides/faq'],
  ['python', 'guides/other-languages'],
  ['java', 'guides/other-languages'],
  ['retry', 'guides/errors'],
  ['rate limits', 'errors/rate-limited'],
  ['quickstart', 'guides/getting-started'],
  ['mileage', 'guides/trip-log'],
  ['battery chart', 'guides/battery-voltage'],
  ['parking map', 'guides/where-is-my-car'],
  ['mock', 'guides/testing-in-ci'],
  ['ECONNREFUSED', 'guides/troubleshooting'],
  ['checklist', 'guides/going-live'],
  ['GDPR', 'guides/privacy'],
  ['engine.rpm', 'operations/getPowertrainData'],
  ['steering wheel', 'operations/getDrivingData'],
  ['semver', 'guides/versioning'],
  ['release notes', 'guides/changelog'],
  ['x-series', 'guides/contract-extensions'],
  ['isla', 'operations/getDrivingData'],
] as const)('"%s" finds %s first', ([query, page]) => {
  expect(search(query).map(({ url }) => url.replace(/\/(#.*)?$/, ''))[0]).toBe(page);
});

test('a misspelled word and half a word are found', () => {
  expect(search('autentication')[0]?.url).toMatch(/^guides\/authentication\//);
  expect(search('steeri')[0]?.url).toMatch(/^operations\/getDrivingData\//);
});

test('nothing is found for what is not there', () => {
  expect(search('zzzzqq')).toEqual([]);
});
