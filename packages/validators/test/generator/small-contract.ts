// A contract of its own, small and with one of everything, so that what is written for it can be run and compiled.
import { type OperationSpec, operations } from '@vehicle-data/openapi';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export const schemas = {
  Colour: { type: 'string', enum: ['red', 'blue'] },
  Shape: { type: 'string', enum: ['round', 'flat'] },
  Code: { type: 'string', pattern: '^[0-9]{3}$', minLength: 3, maxLength: 3 },
  Day: { type: 'string', format: 'basic-date' },
  Zone: { type: 'string', format: 'iana-time-zone', maxLength: 20 },
  Note: { type: 'string' },
  Level: { type: 'number', minimum: 0, maximum: 9.5 },
  Flag: { type: ['string', 'boolean'], enum: ['true', true, 'false', false] },
  Part: {
    type: 'object',
    required: ['code'],
    properties: { code: reference('Code'), 'a/b': { type: 'boolean' }, valueOf: { type: 'string' } },
  },
  Thing: {
    type: 'object',
    required: ['note', 'any'],
    properties: {
      note: { type: 'string' },
      any: {},
      day: reference('Day'),
      main: reference('Part'),
      own: { type: 'object', properties: { zone: reference('Zone') } },
      parts: { type: 'array', items: reference('Part') },
      levels: { type: 'array', items: reference('Level') },
      counts: { type: 'array', items: { type: 'integer' } },
      positive: { type: 'array', items: { type: 'number', minimum: 0 } },
      small: { type: 'array', items: { type: 'integer', maximum: 9 } },
      colours: { type: 'array', items: reference('Colour') },
      moments: { type: 'array', items: { type: 'string', format: 'date-time' } },
      anything: { type: 'array' },
      mixed: { type: ['string', 'integer', 'boolean'], minimum: 3 },
      short: { type: ['string', 'integer'], maxLength: 3 },
      long: { type: 'string', minLength: 2 },
      sized: { type: 'string', minLength: 2, maxLength: 4 },
      flag: reference('Flag'),
    },
  },
  ThingResponse: {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: reference('Thing'), meta: { type: 'object' } },
  },
  Done: { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } },
  Problem: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
} as const;

const parameter = (
  name: string,
  where: 'path' | 'query' | 'header',
  schema: keyof typeof schemas,
  more: { readonly required?: boolean; readonly default?: string } = {},
) => ({
  name,
  in: where,
  required: more.required ?? true,
  description: '',
  schema,
  rule: { type: 'string', ...(more.default === undefined ? {} : { default: more.default }) } as const,
});

export const read: OperationSpec = {
  ...operations.getDrivingData,
  operationId: 'readThing',
  path: '/things/{code}',
  parameters: [
    parameter('code', 'path', 'Code'),
    parameter('from', 'query', 'Day'),
    parameter('to', 'query', 'Day'),
    parameter('zone-id', 'query', 'Zone', { required: false, default: 'UTC' }),
    parameter('Colour', 'header', 'Colour'),
    parameter('Shape', 'header', 'Shape', { required: false }),
  ],
  responses: { 200: 'ThingResponse', 400: 'Problem' },
  dateRange: { start: 'from', end: 'to', maxDays: 2 },
  wideEffect: null,
};

export const drop: OperationSpec = {
  ...operations.stopDataSharing,
  operationId: 'dropThings',
  path: '/things',
  parameters: [parameter('code', 'query', 'Code', { required: false })],
  responses: { 200: 'Done', 404: 'Problem' },
  dateRange: null,
  wideEffect: { parameter: 'code', narrow: 'dropThing', wide: 'dropAll', confirm: 'Colour' },
};

/** The types that the contract's own build would give. */
export const types = `export interface components {
  schemas: {
    Colour: 'red' | 'blue';
    Shape: 'round' | 'flat';
    Level: number;
    Flag: 'true' | 'false' | boolean;
    Part: { code: string };
    Thing: { note: string; any: unknown };
    ThingResponse: { data: { note: string }; meta: object };
    Done: { done: boolean };
    Problem: { code: string };
  };
}`;
