// The contract states which identifiers of a client are kept; the proxy and the sandbox do just that.

import { requestIdPattern } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { placeAt } from '../../../openapi/test/contract.ts';
import { accessToken, startService } from './apps.ts';

const { sandbox, proxy } = await startService();

const identifiers: readonly (readonly [name: string, id: string, isKept: boolean])[] = [
  ['of 8 letters and digits', 'call0001', true],
  ['of 7 characters', 'abc1234', false],
  ['of 1 character', 'a', false],
  ['of 64 characters', 'a-'.repeat(32), true],
  ['of 65 characters', `${'a-'.repeat(32)}b`, false],
  ['that is a UUID', '7d0f3c52-64c4-4a0c-9d19-6c5f60a4a4b1', true],
  ['that is a trace', '0af7651916cd43dd8448eb211c80319c', true],
  ['that holds a VIN', 'call-SANDB0XA000000001', false],
  ['with other characters', 'a"b{}~!12', false],
  ['that begins with a hyphen', '-call0001', false],
];

test.each(identifiers)('an identifier %s is kept or replaced alike', async (_, id, isKept) => {
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
