import type { OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import type { Contract } from './contract.ts';

/** A sample of an operation in one language. */
export interface Sample {
  readonly label: string;
  /** Language of the fenced code block. */
  readonly fence: 'sh' | 'ts' | 'python';
  readonly source: string;
}

// The address and the token of `npm start`. Tests run every sample against them.
export const baseUrl = 'http://127.0.0.1:8787';
export const accessToken = 'demo-access-token';

/**
 * Values for single operations; all others take the examples of the contract. The vehicle whose sharing stops is used by no other
 * sample, so readers can run all samples in any order. Only the hybrid has both a battery and an engine.
 */
const ownValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stopDataSharing: { Brand: 'brand_b', vin: 'SANDB0XB000000003' },
  getPowertrainData: { vin: 'SANDB0XA000000003' },
};

interface Argument extends ParameterSpec {
  readonly value: string;
}

/** Samples of an operation in every language. */
export function samplesOf(operation: OperationSpec, contract: Contract): readonly Sample[] {
  const used = argumentsOf(operation, contract);
  return [
    { label: 'curl', fence: 'sh', source: curlSample(operation, used) },
    { label: 'TypeScript', fence: 'ts', source: typeScriptSample(operation, used) },
    { label: 'Python', fence: 'python', source: pythonSample(operation, used) },
  ];
}

/** Path and brand of the sample request. */
export function requestOf(operation: OperationSpec, contract: Contract): { path: string; brand: string } {
  const used = argumentsOf(operation, contract);
  const query = new URLSearchParams(used.filter(at('query')).map(({ name, value }) => [name, value])).toString();
  const brand = used.find(({ name }) => name === 'Brand')?.value ?? '';
  return { path: `${pathOf(operation, used)}${query === '' ? '' : `?${query}`}`, brand };
}

/** Required parameters, and the one whose absence would widen the effect. */
function argumentsOf(operation: OperationSpec, contract: Contract): readonly Argument[] {
  return operation.parameters
    .filter(({ name, required }) => required || operation.wideEffect?.parameter === name)
    .map((parameter) => ({ ...parameter, value: sampleValue(operation, parameter, contract) }));
}

function sampleValue(
  { operationId }: OperationSpec,
  { name, schema }: ParameterSpec,
  { components }: Contract,
): string {
  const value = ownValues[operationId]?.[name] ?? components.schemas[schema]?.examples?.[0];
  if (typeof value !== 'string') throw new Error(`${schema} needs an example, from which samples are made`);
  return value;
}

const at = (place: ParameterSpec['in']) => (argument: Argument) => argument.in === place;

const pathOf = ({ path }: OperationSpec, used: readonly Argument[]) =>
  used.filter(at('path')).reduce((text, { name, value }) => text.replace(`{${name}}`, () => value), path);

const headersOf = (used: readonly Argument[]): readonly (readonly [string, string])[] => [
  ...used.filter(at('header')).map(({ name, value }) => [name, value] as const),
  ['Authorization', `Bearer ${accessToken}`],
];

/** The address and every parameter have a line of their own, so no line is cut off. A series is long: its start is shown. */
function curlSample(operation: OperationSpec, used: readonly Argument[]): string {
  const [query, inPath] = [used.filter(at('query')), used.filter(at('path'))];
  const variable = ({ name }: Argument) => `$${name.toUpperCase()}`;
  const options = [
    '-s',
    ...(query.length > 0 ? ['-G'] : []),
    ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`]),
  ];
  const lines = [
    `curl ${options.join(' ')} "$BASE${pathOf(
      operation,
      inPath.map((argument) => ({ ...argument, value: variable(argument) })),
    )}"`,
    ...query.map(({ name, value }) => `-d ${name}=${value}`),
    ...headersOf(used).map(([name, value]) => `-H '${name}: ${value}'`),
  ];
  const values = [`BASE=${baseUrl}`, ...inPath.map(({ name, value }) => `${name.toUpperCase()}=${value}`)];
  return `${values.join(' ')}\n${[...lines, ...(operation.series ? ['| head -c 700'] : [])].join(' \\\n  ')}`;
}

function typeScriptSample(operation: OperationSpec, used: readonly Argument[]): string {
  const method = operation.wideEffect?.narrow ?? operation.operationId;
  const brand = used.find(({ name, in: place }) => place === 'header' && name === 'Brand')?.value;
  const members = used
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, value }) => `  ${name}: '${value}',\n`);
  const call = `await client.${method}(${members.length === 0 ? '' : `{\n${members.join('')}}`});`;
  return [
    "import { createVehicleDataClient } from '@vehicle-data/client';",
    '',
    'const client = createVehicleDataClient({',
    `  baseUrl: '${baseUrl}',`,
    ...(brand === undefined ? [] : [`  brand: '${brand}',`]),
    `  accessToken: '${accessToken}',`,
    '});',
    ...typeScriptOutput(operation, call),
  ].join('\n');
}

function typeScriptOutput({ series }: OperationSpec, call: string): readonly string[] {
  if (!series) return [`const data = ${call}`, 'console.log(data);'];
  const [signal, spec] = Object.entries(series.signals).find(([, { kind }]) => kind === 'number') ?? [];
  const unit = spec?.kind === 'number' ? spec.unit : '';
  return [
    `const { ${series.items} } = ${call}`,
    `for (const trip of ${series.items}) {`,
    `  const last = trip.${signal?.replaceAll('.', '?.')}?.at(-1);`,
    `  console.log(trip.${series.startTime}, last, '${unit}');`,
    '}',
  ];
}

function pythonSample(operation: OperationSpec, used: readonly Argument[]): string {
  const query = new URLSearchParams(used.filter(at('query')).map(({ name, value }) => [name, value])).toString();
  const { series } = operation;
  return [
    'import json',
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    `BASE = "${baseUrl}"`,
    'request = Request(',
    `    BASE + "${pathOf(operation, used)}"`,
    ...(query === '' ? [] : [`    "?${query}"`]),
    '    ,',
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    '    headers={',
    ...headersOf(used).map(([name, value]) => `        "${name}": "${value}",`),
    '    },',
    ')',
    'try:',
    '    with urlopen(request, timeout=30) as response:',
    '        data = json.load(response)["data"]',
    'except HTTPError as error:',
    '    raise SystemExit(json.load(error)["error"]["code"])',
    ...(series
      ? [
          `for trip in data["${series.items}"]:`,
          `    print(trip["${series.startTime}"], trip["${series.duration}"] / 60_000, "minutes")`,
        ]
      : ['print(data)']),
  ]
    .join('\n')
    .replace('"\n    ,', '",');
}
