import type { JsonObject } from '@vehicle-data/openapi/model';
import { expect, test } from 'vitest';
import { read, schemas } from './small-contract.ts';
import { complaints, run, written } from './written-files.ts';

const parameter = (name: string, schema: string, type: 'integer' | 'boolean', fallback?: number) => ({
  name,
  in: 'query' as const,
  required: false,
  description: '',
  schema,
  rule: { type, ...(fallback === undefined ? {} : { default: fallback }) },
});
const typed = {
  ...schemas,
  PageSize: { type: 'integer', minimum: 1, maximum: 50 },
  Detailed: { type: 'boolean' },
} as unknown as JsonObject;
const operation = {
  ...read,
  parameters: [
    ...read.parameters,
    parameter('size', 'PageSize', 'integer', 10),
    parameter('more', 'Detailed', 'boolean'),
  ],
};

test('the generated files compile, and their types know schemas, parameters and responses', async () => {
  const use = `
    import { readThingRequest, readThingResponse } from './operations.js';
    const query = 'from=20260302&to=20260302';
    const result = readThingRequest.validate({ path: { code: '123' }, query, headers: {} }, { colours: ['x'] });
    if (result.ok) {
      const zone: string | undefined = result.value.query['zone-id'];
      // @ts-expect-error the day is a checked text
      const day: number = result.value.query.from;
      void [zone, day];
    }
    if (readThingResponse.is({})) throw new Error();`;
  expect(await complaints(written(), use)).toBe('');
}, 60_000);

test('parameters of other types are read from their text', async () => {
  const { readThingRequest } = await run('operations', written(typed, [operation]));
  const check = (query: string) => {
    const parts = { path: { code: '123' }, query: `from=20260302&to=20260302&${query}`, headers: { Colour: 'red' } };
    const result = readThingRequest?.validate(parts);
    return result?.ok
      ? (result.value as { query: object }).query
      : result?.issues.map(({ name, rule }) => `${name} ${rule}`);
  };
  expect(check('size=50&more=true')).toMatchObject({ size: 50, more: true });
  expect(check('more=false')).toMatchObject({ size: 10, more: false });
  for (const wrong of ['5.0', '+5', '05', '5e1', ' 5', 'ten']) expect(check(`size=${wrong}`)).toEqual(['size type']);
  expect(check('size=51')).toEqual(['size maximum']);
  expect(check('more=yes')).toEqual(['more type']);
});
