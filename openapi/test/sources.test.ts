// What the API specifies and what this contract adds to it, found twice: from the tables of the interface alone, whose cells are
// copied into interface-facts.json (interface.test.ts has what it says in sentences), and from the marks of the contract alone.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openContract, sourcesOf } from '../build/model.ts';
import type { Json, Place } from '../build/place.ts';
import { operations } from '../src/index.js';
import { isOfDeployment } from './contract.ts';

interface Row {
  readonly section: string;
  readonly field?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly required?: string;
  readonly type?: string;
  readonly says?: string;
  readonly default?: string;
  readonly limit?: string;
  readonly appliesTo?: string;
  readonly value?: string;
  readonly error?: string;
  readonly message?: string;
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('./interface-facts.json', import.meta.url), 'utf8'));
const contract = await openContract();
const schemas = contract.child('components').child('schemas');

/** Which schema holds the fields of a section. */
const schemaOfSection: Readonly<Record<string, string>> = {
  '2.3': 'Vehicle',
  '2.4': 'PowertrainTrip',
  '2.5': 'DrivingTrip',
  '2.6': 'LocationRecord',
  '2.7': 'CurrentStatus',
};

/** Keywords whose value a reader of the interface would ask about. */
const keywords = [
  ...['required', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'enum', 'x-unit', 'default', 'anyOf'],
];

/** `Schema.member.member[] keyword` of a place in components/schemas. */
function nameOf(pointer: string, keyword: string): string {
  const [, ...steps] = pointer.split('/').slice(2);
  const names = steps.flatMap((step, index) => {
    if (step === 'properties' && steps[index - 1] !== 'properties') return [];
    return step === 'items' && steps[index - 1] !== 'properties' ? ['[]'] : [`.${step}`];
  });
  return `${names.join('').slice(1)} ${keyword}`;
}

/** Every fact in a schema with its value. What is inside a choice counts as one fact. */
function factsOf(place: Place): readonly (readonly [fact: string, value: Json])[] {
  const own = keywords.flatMap((keyword) => {
    const value = place.optional(keyword)?.value;
    return value === undefined ? [] : [[nameOf(place.pointer, keyword), value] as const];
  });
  const inside = [...(place.optional('properties')?.entries() ?? []).map(([, member]) => member)];
  const items = place.optional('items');
  return [...own, ...[...inside, ...(items ? [items] : [])].flatMap(factsOf)];
}

/** A format such as yyyy-MM-dd'T'HH:mm:ss'Z' as a regular expression. */
function patternOf(format: string): string {
  const parts = format.matchAll(/'([^']*)'|([a-zA-Z]+)|(.)/g);
  const written = [...parts].map(([all, quoted, letters, other]) =>
    letters ? `[0-9]{${all.length}}` : (quoted ?? other ?? '').replace('.', '\\.'),
  );
  return `^${written.join('')}$`;
}

/** What the words of a cell state, by keyword. */
function statedBy({ type = '', says = '', default: fallback }: Row): Readonly<Record<string, Json>> {
  const [, minimum, maximum] = /range (-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)/i.exec(says) ?? [];
  const [, unit = /in milliseconds/.test(says) ? 'ms' : undefined] = /unit ([^;.]+)/i.exec(says) ?? [];
  const [, format] = /format (y\S*?)[;.]?(?:\s|$)/i.exec(says) ?? [];
  const [, length = format && String(format.replaceAll("'", '').length)] = /(\d+) characters/.exec(says) ?? [];
  const [, list] = /(?:Values|One of|system): (.+)\.$/i.exec(says) ?? [];
  const values = list?.split(/, (?![^(]*\))/).map((value) => value.replace(/ .*/, ''));
  return {
    ...(minimum !== undefined && { minimum: Number(minimum), maximum: Number(maximum) }),
    ...(unit !== undefined && { 'x-unit': unit }),
    ...(length !== undefined && { minLength: Number(length), maxLength: Number(length) }),
    ...(format !== undefined && {
      pattern: patternOf(format),
      format: format === 'yyyyMMdd' ? 'basic-date' : 'date-time',
    }),
    ...(type === 'long' && { format: 'int64' }),
    ...(values && { enum: type === 'integer' ? values.map(Number) : values }),
    ...(fallback !== undefined && fallback !== 'none' && { default: fallback }),
  };
}

/** The schema that rules the value of a row. */
function placeOf({ section, field = '', parameter, type = '' }: Row): Place | undefined {
  if (parameter) {
    const name = `${parameter.charAt(0).toUpperCase()}${parameter.slice(1)}`;
    return contract.child('components').child('parameters').child(name).child('schema').resolved('schemas');
  }
  const schema = schemaOfSection[section];
  if (schema === undefined || type === 'object' || type.startsWith('array of objects')) return undefined;
  const member = (place: Place, name: string) => place.child('properties').child(name).resolved('schemas');
  const found = field.split('.').reduce(member, schemas.child(schema));
  return found.optional('items') ?? found;
}

/** What the interface states, by fact, with the sections that do. */
const stated = new Map<string, { value: Json; sections: string[] }>();
const state = (fact: string, value: Json, section: string) => {
  stated.set(fact, { value, sections: [...(stated.get(fact)?.sections ?? []), section] });
};
for (const row of rows) {
  const place = placeOf(row);
  if (place)
    for (const [key, value] of Object.entries(statedBy(row))) state(nameOf(place.pointer, key), value, row.section);
  if (row.says?.startsWith('Present instead of')) state('ErrorEnvelope required', [row.field ?? ''], row.section);
  if (row.appliesTo === 'all VIN fields') {
    const length = Number.parseInt(row.value ?? '', 10);
    for (const keyword of ['minLength', 'maxLength']) state(`Vin ${keyword}`, length, row.section);
  }
  if (row.limit === 'Date range') state('TripDays maxDays', Number(/\d+/.exec(row.value ?? '')?.[0]), row.section);
  if (row.error) state(`error ${row.error} code`, row.error, row.section);
}

const header = (name: string) => `${name} header`;
const code = (place: Place) => `error ${place.child('code').string()}`;
const errors = contract.child('x-error-catalogue').items();
const driving = contract.child('paths').child('/v1/vehicles/{vin}/driving/data').child('get');

/** Every fact of the contract. The status of an error that is not stated follows from where it was seen. */
const facts: readonly (readonly [fact: string, value: Json])[] = [
  ...schemas.entries().flatMap(([, schema]) => factsOf(schema)),
  ...Object.keys(contract.child('components').child('headers').object()).map((name) => [header(name), true] as const),
  ...errors.flatMap((entry) => {
    const fact = `${code(entry)} code`;
    const seen = [fact, entry.child('code').value] as const;
    return stated.has(fact) ? [seen, [`${code(entry)} status`, entry.child('status').value] as const] : [seen];
  }),
  ['TripDays maxDays', driving.child('x-date-range').child('maxDays').value],
  ['TripDays order', true],
];

/** The fact that a mark of the contract is about. */
function factOf(pointer: string, aspect: string): string {
  const [, first = '', second, third = ''] = pointer.split('/');
  if (first === 'x-error-catalogue') return `${code(errors[Number(second)] ?? contract)} ${aspect}`;
  if (first === 'paths') return `TripDays ${aspect}`;
  return second === 'headers' ? header(third) : nameOf(pointer, aspect);
}

const marks = sourcesOf(contract).map((mark) => ({ ...mark, fact: factOf(mark.pointer, mark.aspect) }));

test.skipIf(isOfDeployment)(
  'what a reader of the interface does not find there is what the contract marks, and nothing else',
  () => {
    const missing = facts.filter(([fact, value]) => JSON.stringify(stated.get(fact)?.value) !== JSON.stringify(value));
    const ofProxy = errors
      .filter((entry) => entry.child('origin').value === 'proxy')
      .map((entry) => `${code(entry)} code`);
    const marked = marks.filter(({ origin }) => origin !== 'interface').map(({ fact }) => fact);
    expect(missing.length).toBeGreaterThan(50);
    expect([...new Set([...marked, ...ofProxy])].toSorted()).toEqual(missing.map(([fact]) => fact).toSorted());
  },
);

test('what the contract says a section states is stated in that section', () => {
  const claims = marks.filter(({ origin }) => origin === 'interface');
  expect(claims.length).toBeGreaterThan(10);
  for (const { fact, says } of claims) expect.soft(stated.get(fact)?.sections, fact).toContain(says);
});

test.skipIf(isOfDeployment)('everything that the interface states in its tables is in the contract', () => {
  const found = new Map(facts);
  for (const [fact, { value }] of stated) expect.soft(found.get(fact), fact).toEqual(value);
});

test.skipIf(isOfDeployment)(
  'what the tables of parameters and headers call required is required, and what they call optional is not',
  () => {
    const sent = rows.filter(({ required }) => required !== undefined);
    expect(sent.length).toBeGreaterThan(5);
    for (const { section, parameter, header, required } of sent) {
      const name = parameter ?? header ?? '';
      const { bearer, description, parameters } =
        section === '4.1' ? operations.listVehicles : operations.getDrivingData;
      const found: readonly { name: string; in: string; required: boolean }[] = parameters;
      const contractSays: Readonly<Record<string, boolean | undefined>> = {
        Authorization: bearer === 'required',
        'Content-Type': description.includes('You may send `Content-Type: application/json`') ? false : undefined,
      };
      const kind = header ? 'header' : 'query';
      const isRequired = contractSays[name] ?? found.find((one) => one.name === name && one.in === kind)?.required;
      expect.soft(isRequired, name).toBe(required === 'Required');
    }
    const brand = rows.find(({ header }) => header === 'Brand')?.says ?? '';
    const brands = schemas.child('Brand').child('enum').items();
    expect(brands.map((one) => one.string())).toSatisfy(
      (names: string[]) => names.join() === names.join().toLowerCase(),
    );
    expect(brands).toHaveLength([...brand.matchAll(/<\w+>/g)].length);
  },
);
