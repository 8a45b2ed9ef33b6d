import type {
  DateRangeSpec,
  EnumerationSignal,
  NumberSignal,
  OperationSpec,
  ParameterRule,
  ParameterSpec,
  SeriesSpec,
  WideEffectSpec,
} from '../src/contract.ts';
import type { Place } from './place.ts';
import { type EnumSchema, readSchema, readSchemas, resolve, type Schema } from './schema-model.ts';

const securityScheme = 'accessToken';

/** The component schemas by name. */
type Schemas = ReadonlyMap<string, Schema>;

/** Reads every operation of the bundle. Stops at the first construct it does not understand. */
export function readOperations(root: Place): readonly OperationSpec[] {
  root.shaped(
    'openapi info servers tags paths components x-error-catalogue',
    'webhooks x-not-specified x-vss-catalogue',
  );
  const schemes = root.child('components').child('securitySchemes');
  schemes.shaped(securityScheme);
  const scheme = schemes.child(securityScheme).shaped('type scheme description');
  scheme.child('type').oneOf(['http']);
  scheme.child('scheme').oneOf(['bearer']);
  const schemas = readSchemas(root);

  return root
    .child('paths')
    .entries()
    .flatMap(([path, item]) => {
      item.shaped('', 'get delete');
      return item.entries().map(([method, place]) => readOperation(path, method, place, schemas));
    });
}

function readOperation(path: string, method: string, place: Place, schemas: Schemas): OperationSpec {
  place.shaped(
    'operationId tags summary description security parameters responses',
    'deprecated x-date-range x-series x-wide-effect x-measured-at',
  );
  const parameters = place.child('parameters').items().map(readParameter);
  if (!/^(\/([a-z0-9-]+|\{[a-z][A-Za-z0-9]*\}))+$/.test(path))
    place.fail('the path is not made of plain segments and {parameters}');
  const operationIdPlace = place.child('operationId');
  const operationId = operationIdPlace.string();
  if (!/^[a-z][A-Za-z0-9]*$/.test(operationId)) operationIdPlace.fail('expected a camelCase identifier');
  place.child('responses').child('200');
  const responses = place.child('responses').entries();
  const tags = place.child('tags').items();
  const tag = tags[0];
  if (tag === undefined || tags.length !== 1) return place.child('tags').fail('exactly one tag is expected');
  return {
    operationId,
    method: method === 'get' ? 'GET' : 'DELETE',
    path,
    tag: tag.string(),
    summary: place.child('summary').string(),
    description: place.child('description').string(),
    deprecated: place.optional('deprecated')?.boolean() ?? false,
    bearer: readSecurity(place.child('security')),
    parameters,
    // The default is the template of error responses, which the build replaces.
    responses: Object.fromEntries(responses.filter(([status]) => status !== 'default').map(readResponse)),
    dateRange: readDateRange(place, parameters),
    series: readSeries(place, schemas),
    wideEffect: readWideEffect(place, parameters, method),
    measuredAt: readMeasuredAt(place),
  };
}

function readSecurity(place: Place): OperationSpec['bearer'] {
  const text = JSON.stringify(place.value);
  if (text === JSON.stringify([{ [securityScheme]: [] }])) return 'required';
  if (text === JSON.stringify([{}, { [securityScheme]: [] }])) return 'optional';
  return place.fail(`expected the scheme ${securityScheme} alone, or after an empty requirement`);
}

function readParameter(reference: Place): ParameterSpec {
  const place = reference.resolved('parameters').shaped('name in required description schema', 'deprecated example');
  return {
    name: place.child('name').string(),
    in: place.child('in').oneOf(['path', 'query', 'header']),
    required: place.child('required').boolean(),
    ...(place.optional('deprecated')?.boolean() && { deprecated: true }),
    description: place.child('description').string(),
    schema: componentOf(place.child('schema')),
    rule: readRule(place.child('schema').resolved('schemas')),
  };
}

function readRule(place: Place): ParameterRule {
  // A default inside of these would be overlooked.
  for (const keyword of ['allOf', 'anyOf'])
    place.optional(keyword)?.fail('is not understood in the schema of a parameter');
  const schema = readSchema(place);
  const fallback = place.optional('default');
  switch (schema.kind) {
    case 'string': {
      const { kind, example: _, ...rules } = schema;
      return stated(kind, { ...rules, default: fallback?.string() });
    }
    case 'number': {
      const { kind: _, integer, unit: __, example: ___, ...rules } = schema;
      if (!integer) place.fail('a parameter of type number is not understood');
      return stated('integer', { ...rules, default: fallback?.number() });
    }
    case 'boolean':
      return stated('boolean', { default: fallback?.boolean() });
    case 'enum':
      return stated('string', { enum: textsOf(schema, place), default: fallback?.string() });
    default:
      return place.fail('a parameter must be text, a whole number or true or false');
  }
}

/** A rule with the keywords that have a value. */
function stated(type: ParameterRule['type'], keywords: object): ParameterRule {
  return { type, ...Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined)) };
}

function textsOf({ values }: EnumSchema, place: Place): readonly string[] {
  return values.map((value) => (typeof value === 'string' ? value : place.fail('expected values of text')));
}

function readResponse([status, reference]: readonly [string, Place]): readonly [string, string] {
  if (!/^[1-5][0-9]{2}$/.test(status)) reference.fail('expected an explicit status such as 400');
  const place = reference.resolved('responses').shaped('description content', 'headers');
  const content = place.child('content').shaped('application/json').child('application/json');
  content.shaped('schema examples');
  return [status, componentOf(content.child('schema'))];
}

/** The name of the component schema that a place refers to. */
function componentOf(place: Place): string {
  return place.refName('schemas') ?? place.fail('must be a component schema of its own');
}

function readDateRange(operation: Place, parameters: readonly ParameterSpec[]): DateRangeSpec | null {
  const place = operation.optional('x-date-range');
  if (place === undefined) return null;
  place.shaped('start end maxDays', 'x-source');
  const dayOf = (key: string) => {
    const name = place.child(key).string();
    const parameter = parameters.find((candidate) => candidate.name === name && candidate.in === 'query');
    const isDay = parameter?.rule.format === 'basic-date';
    return isDay ? name : place.child(key).fail('must name a query parameter of format basic-date');
  };
  return { start: dayOf('start'), end: dayOf('end'), maxDays: place.child('maxDays').count(1) };
}

/** The schema of `data` in the response of status 200. */
export function dataSchema(operation: Place): Place {
  return envelopeSchema(operation).child('properties').child('data').resolved('schemas');
}

/** The schema of the successful response, the envelope around `data`. */
export function envelopeSchema(operation: Place): Place {
  const response = operation.child('responses').child('200').resolved('responses');
  return response.child('content').child('application/json').child('schema').resolved('schemas');
}

function readSeries(operation: Place, schemas: Schemas): SeriesSpec | null {
  const place = operation.optional('x-series');
  if (place === undefined) return null;
  place.shaped('name items startTime duration sampleTimes');
  const items = place.child('items').string();
  const itemPlace = dataSchema(operation).child('properties').child(items).child('items');
  const itemSchema = componentOf(itemPlace);
  const item = schemas.get(itemSchema);
  if (item?.kind !== 'object') return itemPlace.fail('must be an object');
  const names = item.properties.map(({ name }) => name);
  const memberOf = (key: string) => {
    const name = place.child(key).string();
    return names.includes(name) ? name : place.child(key).fail('must name a member of the item');
  };
  return {
    name: place.child('name').string(),
    items,
    itemSchema,
    startTime: memberOf('startTime'),
    duration: memberOf('duration'),
    // No member of an item holds the times of samples yet; `given` comes with the member that does.
    sampleTimes: place.child('sampleTimes').oneOf(['assumed']),
    signals: Object.fromEntries(signalsOf(item, [], itemPlace.resolved('schemas'), schemas)),
  };
}

type Signal = NumberSignal | EnumerationSignal;

/** Every list below a part of a trip, by its dotted path. What is neither a list nor a group of members is no signal. */
function signalsOf(
  schema: Schema,
  names: readonly string[],
  place: Place,
  schemas: Schemas,
): readonly (readonly [path: string, signal: Signal])[] {
  const part = resolve(schema, schemas);
  switch (part.kind) {
    case 'nullable':
      return signalsOf(part.schema, names, place, schemas);
    case 'object':
      if (part.additional && part.additional.kind !== 'any') place.fail('members of any name are not understood here');
      return part.properties.flatMap((member) =>
        signalsOf(member.schema, [...names, member.name], member.place, schemas),
      );
    case 'array':
      return [[names.join('.'), readSignal(resolve(part.items, schemas), place)]];
    case 'any':
      return place.fail('is not understood in a trip');
    default:
      return [];
  }
}

function readSignal(sample: Schema, place: Place): Signal {
  if (sample.kind === 'enum') return { kind: 'enumeration', values: textsOf(sample, place) };
  if (sample.kind !== 'number') return place.fail('a list of a trip must hold numbers or fixed values of text');
  const { unit, minimum = null, maximum = null, exclusiveMinimum, exclusiveMaximum } = sample;
  if (typeof unit !== 'string') return place.fail('a signal of numbers needs an x-unit of text');
  if ((exclusiveMinimum ?? exclusiveMaximum) !== undefined)
    place.fail('an exclusive bound of a signal is not understood');
  return { kind: 'number', unit, minimum, maximum };
}

function readWideEffect(operation: Place, parameters: readonly ParameterSpec[], method: string): WideEffectSpec | null {
  const place = operation.optional('x-wide-effect');
  if (place === undefined) {
    if (method !== 'get' && parameters.some((parameter) => parameter.in === 'query' && !parameter.required)) {
      operation.fail('a method other than GET with an optional query parameter must state its x-wide-effect');
    }
    return null;
  }
  place.shaped('parameter narrow wide confirm');
  const parameter = place.child('parameter').string();
  if (
    !parameters.some((candidate) => candidate.name === parameter && candidate.in === 'query' && !candidate.required)
  ) {
    place.child('parameter').fail('must name an optional query parameter');
  }
  const confirm = place.child('confirm').string();
  if (!parameters.some((candidate) => candidate.name === confirm)) place.child('confirm').fail('must name a parameter');
  return { parameter, narrow: place.child('narrow').string(), wide: place.child('wide').string(), confirm };
}

function readMeasuredAt(operation: Place): string | null {
  const place = operation.optional('x-measured-at');
  if (place === undefined) return null;
  const name = place.string();
  const member = dataSchema(operation).child('properties').optional(name)?.resolved('schemas');
  if (member?.optional('format')?.value !== 'date-time')
    place.fail('must name a member of data with the format date-time');
  return name;
}
