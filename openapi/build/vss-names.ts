// Where signals go in the COVESA Vehicle Signal Specification: the extension x-vss, with the types that its names have there.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OperationSpec, VssDatatype, VssName, VssNames, VssRecordName, VssValue } from '../src/contract.ts';
import { dataSchema } from './operation-table.ts';
import type { Place } from './place.ts';

const datatypes: readonly VssDatatype[] = ['boolean', 'string', 'int8', 'int16', 'uint32', 'float', 'double'];

/** What the contract says of one value and its name, whether it is a signal of a trip or not. */
export interface VssLine extends Omit<VssName, 'factor'> {
  /** The schema of the value. */
  readonly place: Place;
  /** One factor, or one for each unit that the value may have; null for what is not measured. */
  readonly factor: number | Readonly<Record<string, number>> | null;
  readonly note: string;
  /** Whether the name is one of the overlay, which the catalogue lacks. */
  readonly isOwn: boolean;
}

/** The names of the overlay with what it says of them. */
function readOverlay(root: Place): Readonly<Record<string, { readonly datatype?: unknown }>> {
  const file = root.child('x-vss-catalogue').child('overlay').string();
  return parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
}

/** Reads the extension of a schema; undefined where it has none or says that there is no name, as for signals that a deployment adds. */
function readVss(schema: Place, root: Place): VssLine | undefined {
  const stated = schema.optional('x-vss');
  if (stated === undefined || stated.optional('none') !== undefined) return undefined;
  const place = stated.shaped('path', 'unit factor values note only');
  const path = place.child('path').string();
  const own = readOverlay(root)[path];
  const datatype =
    own?.datatype ?? root.child('x-vss-catalogue').child('names').optional(path)?.child('datatype').value;
  const factor = place.optional('factor');
  const values = place.optional('values')?.entries();
  return {
    place: schema,
    path,
    datatype: datatypes.find((one) => one === datatype) ?? place.child('path').fail('has no type that is understood'),
    unit: place.optional('unit')?.string() ?? null,
    factor:
      typeof factor?.value === 'object'
        ? Object.fromEntries(factor.entries().map(([unit, one]) => [unit, one.number()]))
        : (factor?.number() ?? null),
    values: values ? Object.fromEntries(values.map(([text, value]) => [text, readValue(value)])) : null,
    note: place.optional('note')?.string() ?? '',
    isOwn: own !== undefined,
  };
}

function readValue(place: Place): VssValue | null {
  const { value } = place;
  return typeof value === 'object' && value !== null ? place.fail('expected one value') : value;
}

/** Every value of the contract that has a name, in the order of the contract. */
export function vssLines(root: Place): readonly VssLine[] {
  const inside = (place: Place): readonly VssLine[] => {
    const { value } = place;
    if (typeof value !== 'object' || value === null) return [];
    const line = Array.isArray(value) ? undefined : readVss(place, root);
    const members = Array.isArray(value) ? place.items() : place.entries().map(([, member]) => member);
    return [...(line ? [line] : []), ...members.flatMap(inside)];
  };
  return inside(root.child('components').child('schemas'));
}

/** The names of the signals of each series. */
export function readVssNames(root: Place, operations: readonly OperationSpec[]): VssNames {
  const series = operations.flatMap(({ path, method, series: spec }) => {
    if (spec === null) return [];
    const operation = root.child('paths').child(path).child(method.toLowerCase());
    const trip = dataSchema(operation).child('properties').child(spec.items).child('items').resolved('schemas');
    const names = Object.keys(spec.signals).flatMap((signal) => {
      const line = lineOf(trip, signal.split('.'), root);
      return line ? [[signal, line] as const] : [];
    });
    return [[spec.name, Object.fromEntries(names)] as const];
  });
  const records = operations.flatMap(({ operationId, path, method, measuredAt }) => {
    if (measuredAt === null) return [];
    const data = dataSchema(root.child('paths').child(path).child(method.toLowerCase()));
    return [[operationId, Object.fromEntries(recordNames(data, '', root))] as const];
  });
  return {
    catalogue: root.child('x-vss-catalogue').child('version').string(),
    series: Object.fromEntries(series),
    records: Object.fromEntries(records),
  };
}

/** The names of the single values below an object, by dotted path. `prefix` is the path of the object with a dot, or empty. */
function recordNames(object: Place, prefix: string, root: Place): readonly (readonly [string, VssRecordName])[] {
  const members = object.optional('properties')?.entries() ?? [];
  return members.flatMap(([name, member]) => {
    const schema = member.resolved('schemas');
    if (schema.optional('properties')) return recordNames(schema, `${prefix}${name}.`, root);
    const line = readVss(schema, root);
    if (line === undefined) return [];
    const { path, datatype, unit, factor, values } = line;
    const xUnit = schema.optional('x-unit');
    const unitFrom = typeof xUnit?.value === 'object' ? xUnit.child('property').string() : undefined;
    const [minimum, maximum] = [schema.optional('minimum')?.number(), schema.optional('maximum')?.number()];
    const only = schema.child('x-vss').optional('only')?.entries();
    const stated: VssRecordName = {
      ...{ path, datatype, unit, factor, values },
      unitFrom: unitFrom === undefined ? null : prefix + unitFrom,
      range: minimum === undefined || maximum === undefined ? null : [minimum, maximum],
      only: only ? Object.fromEntries(only.map(([sibling, value]) => [prefix + sibling, readCondition(value)])) : null,
    };
    return [[`${prefix}${name}`, stated] as const];
  });
}

function readCondition(place: Place): string | number {
  const { value } = place;
  return typeof value === 'string' || typeof value === 'number' ? value : place.fail('expected a text or a number');
}

function lineOf(trip: Place, names: readonly string[], root: Place): VssName | undefined {
  let at: Place | undefined = trip;
  for (const name of names) at = at?.optional('properties')?.optional(name)?.resolved('schemas');
  const line = at?.optional('items') && readVss(at.child('items').resolved('schemas'), root);
  if (line === undefined) return undefined;
  const { path, datatype, unit, factor, values } = line;
  if (typeof factor === 'object' && factor !== null)
    return line.place.fail('a signal of a trip has one unit, and one factor');
  return { path, datatype, unit, factor, values };
}
