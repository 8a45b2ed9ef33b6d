import { describe, expect, test } from 'vitest';
import { validateResponse } from '../src/index.js';
import { examples } from './contract-examples.ts';

describe('a response', () => {
  test('passes with every example of the contract', () => {
    expect(examples.length).toBeGreaterThan(20);
    for (const { operationId, status, body } of examples) {
      expect(validateResponse(operationId, status, body), `${operationId} ${status}`).toEqual({
        ok: true,
        value: body,
      });
    }
  });

  test('keeps members that the contract does not know', () => {
    const body = { data: { more: 1 }, meta: { success: true, extra: null }, next: [] };
    expect(validateResponse('stopDataSharing', 200, body)).toEqual({ ok: true, value: body });
  });

  test.each(['true', true])('passes with meta.success %j', (success) => {
    expect(validateResponse('stopDataSharing', 200, { data: {}, meta: { success } }).ok).toBe(true);
  });
});
