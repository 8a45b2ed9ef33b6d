import type { OperationSpec } from '@vehicle-data/openapi';
import type { Place } from '@vehicle-data/openapi/model';

const tokenResolutions = new Set(['refresh-token', 'fix-credentials']);

/** What the page calls and what it says about signals, from the operation table and the bundled contract. */
export function contractFacts(
  specs: readonly OperationSpec[],
  errors: readonly { readonly code: string; readonly resolution: string }[],
  contract: Place,
): string {
  const list = find(specs, 'listVehicles');
  const brand = list.parameters.find((parameter) => parameter.in === 'header');
  if (brand?.rule.enum === undefined) throw new Error('listVehicles has no header with fixed values');
  const withSeries = specs.flatMap((spec) => (spec.series ? [{ spec, series: spec.series }] : []));
  const series = withSeries.map(
    ({ spec: { operationId, path, dateRange, parameters }, series: { name, ...members } }) => {
      const zone = parameters.find(({ schema }) => schema === 'ZoneId');
      if (!dateRange || !zone) throw new Error(`${operationId} has a series and no date range or no time zone`);
      const { items, startTime, duration } = members;
      return { name, path, items, startTime, duration, ...dateRange, zone: zone.name };
    },
  );
  const facts = {
    brandHeader: brand.name,
    listPath: list.path,
    locationPath: find(specs, 'getLocation').path,
    /** Of each series: its operation, members of a response and of a trip, names of date parameters and their greatest distance. */
    series,
  };
  const descriptions = withSeries.flatMap(({ series: { itemSchema, signals } }) =>
    Object.keys(signals ?? {}).map((path) => [path, descriptionOf(contract, itemSchema, path)]),
  );
  const tokenErrors = errors.filter(({ resolution }) => tokenResolutions.has(resolution)).map(({ code }) => code);
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return `/** The calls that the page makes. */
export const contractFacts = ${json(facts)} as const;
/** Brands to choose from. */
export const brands: readonly string[] = ${json(brand.rule.enum)};
/** Codes of errors that another access token may end. */
export const tokenErrors: readonly string[] = ${json(tokenErrors)};
/** A sentence on every signal, by its path. */
export const descriptions: Readonly<Record<string, string>> = ${json(Object.fromEntries(descriptions))};
`;
}

function find(specs: readonly OperationSpec[], operationId: string): OperationSpec {
  const spec = specs.find((candidate) => candidate.operationId === operationId);
  if (spec === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return spec;
}

/** The first sentence part of a signal's description: the rest repeats unit, range or values, which the page shows itself. */
function descriptionOf(contract: Place, schema: string, path: string): string {
  let at = contract.child('components').child('schemas').child(schema);
  for (const name of path.split('.')) at = at.resolved('schemas').child('properties').child(name);
  return at.child('description').string().split(/[;.]/)[0] ?? '';
}
