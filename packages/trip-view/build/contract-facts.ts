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
  const location = find(specs, 'getLocation');
  const brand = list.parameters.find((parameter) => parameter.in === 'header');
  if (brand?.rule.enum === undefined) throw new Error('listVehicles has no header with fixed values');
  const series = specs.flatMap((spec) => {
    if (spec.series === null || spec.series === undefined) return [];
    const { dateRange } = spec;
    if (!dateRange) throw new Error(`${spec.operationId} has a series and no date range`);
    const zone = spec.parameters.find(({ schema }) => schema === 'ZoneId');
    if (zone === undefined) throw new Error(`${spec.operationId} has no time zone parameter`);
    const { name, items, startTime, duration } = spec.series;
    return [{ name, path: spec.path, items, startTime, duration, ...dateRange, zone: zone.name }];
  });
  const descriptions = Object.fromEntries(
    specs.flatMap((spec) => {
      const item = spec.series ? spec.series.itemSchema : undefined;
      if (item === undefined) return [];
      return Object.keys(spec.series?.signals ?? {}).map((path) => [path, descriptionOf(contract, item, path)]);
    }),
  );
  const facts = {
    brandHeader: brand.name,
    brands: brand.rule.enum,
    listPath: list.path,
    locationPath: location.path,
    series,
    tokenErrors: errors.filter(({ resolution }) => tokenResolutions.has(resolution)).map(({ code }) => code),
    descriptions,
  };
  return `/** The calls that the page makes, and a sentence on every signal. */
export const contractFacts: {
  readonly brandHeader: string;
  readonly brands: readonly string[];
  readonly listPath: string;
  readonly locationPath: string;
  readonly series: readonly {
    /** Name of the series in \`@vehicle-data/client/series\`. */
    readonly name: ${series.map(({ name }) => JSON.stringify(name)).join(' | ')};
    readonly path: string;
    /** Member of \`data\` that holds the trips. */
    readonly items: string;
    /** Members of a trip that hold its start and its length in milliseconds. */
    readonly startTime: string;
    readonly duration: string;
    /** Names of the date parameters, and how many days the second may lie after the first. */
    readonly start: string;
    readonly end: string;
    readonly maxDays: number;
    readonly zone: string;
  }[];
  /** Codes of errors that another access token may end. */
  readonly tokenErrors: readonly string[];
  readonly descriptions: Readonly<Record<string, string>>;
} = ${JSON.stringify(facts, null, 2)};
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
