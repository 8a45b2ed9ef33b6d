// The contract states which identifiers of a client are kept; the proxy and the sandbox do just that.

import { requestIdPattern } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { placeAt } from '../../../openapi/test/contract.ts';
import { accessToken, startService } from './apps.ts';

const { sandbox, proxy } = await startService();

const identifiers: readonly { readonly story: string; readonly id: string; readonly isKept: boolean }[] = [
  { story: 'of 8 letters and digits', id: 'call0001', isKept: true },
  { story: 'of 7 characters', id: 'abc1234', isKept: false },
  { story: 'of 1 character', id: 'a', isKept: false },
  { story: 'of 64 characters', id: 'a-'.repeat(32), isKept: true },
  { story: 'of 65 characters', id: `${'a-'.repeat(32)}b`, isKept: false },
  { story: 'that is a UUID', id: '7d0f3c52-64c4-4a0c-9d19-6c5f60a4a4b1', isKept: true },
  { story: 'that is a trace', id: '0af7651916cd43dd8448eb211c80319c', isKept: true },
  { story: 'that holds a VIN', id: 'call-SANDB0XA000000001', isKept: false },
  { story: 'with other characters', id: 'a"b{}~!12', isKept: false },
  { story: 'that begins with a hyphen', id: '-call0001', isKept: false },
];

test.each(identifiers)('an identifier is kept or replaced alike: one $story', async ({ id, isKept }) => {
  expect(new RegExp(requestIdPattern).test(id)).toBe(isKept);
  for (const { address } of [sandbox, proxy]) {
    const headers = { Brand: 'brand_a', Authorization: `Bearer ${accessToken}`, 'X-Request-Id': id };
    const response = await fetch(`${address}/v1/vehicles/consent`, { headers });
    const sent = response.headers.get('x-request-id') ?? '';
    expect(sent === id).toBe(isKept);
    expect(sent).toMatch(new RegExp(requestIdPattern));
  }
});

test('the contract says it in words, too', () => {
  const description = placeAt('components', 'headers', 'XRequestId', 'description').string();
  for (const fact of ['8 to 64 letters, digits, `-` or `_`', 'no run of 17 letters and digits', '32 lowercase'])
    expect(description.replaceAll('\n', ' ')).toContain(fact);
});
