import type { OperationSpec, ParameterSpec } from '../../src/contract.ts';
import type { Place } from '../reader.ts';

/** A sample of an operation, as the reference shows it. The labels stand in docs-theme/redocly.yaml too. */
export interface Sample {
  readonly lang: 'curl' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

// What `npm start` listens on and accepts; tests run every sample against it.
export const baseUrl = 'http://127.0.0.1:8787';
const accessToken = 'demo-access-token';

interface Argument extends ParameterSpec {
  readonly value: string;
}

/** Samples of an operation in every language. */
export function samplesOf(operation: OperationSpec, root: Place): readonly Sample[] {
  const used = argumentsOf(operation, root);
  return [
    { lang: 'curl', label: 'curl', source: curlSample(operation, used) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(operation, used) },
    { lang: 'Python', label: 'Python', source: pythonSample(operation, used) },
  ];
}

/** Required parameters, and the one whose absence would widen the effect, with the example values of the contract. */
function argumentsOf(operation: OperationSpec, root: Place): readonly Argument[] {
  return operation.parameters
    .filter(({ name, required }) => required || operation.wideEffect?.parameter === name)
    .map((parameter) => ({ ...parameter, value: exampleOf(operation, parameter, root) }));
}

function exampleOf({ dateRange }: OperationSpec, { name, schema }: ParameterSpec, root: Place): string {
  const place = root.child('components').child('schemas').child(schema);
  const example = place.child('examples').items()[0]?.string();
  if (example === undefined) return place.fail('a parameter needs an example, from which samples are made');
  return dateRange?.end === name ? addDays(example, dateRange.maxDays) : example;
}

/** A yyyyMMdd day some days later. */
function addDays(day: string, count: number): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date + count)).toISOString().slice(0, 10).replaceAll('-', '');
}

const at = (place: ParameterSpec['in']) => (argument: Argument) => argument.in === place;

function addressOf({ path }: OperationSpec, used: readonly Argument[]): string {
  const filled = used
    .filter(at('path'))
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(used.filter(at('query')).map(({ name, value }) => [name, value])).toString();
  return `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`;
}

function headersOf(used: readonly Argument[]): readonly (readonly [string, string])[] {
  return [
    ...used.filter(at('header')).map(({ name, value }) => [name, value] as const),
    ['Authorization', `Bearer ${accessToken}`],
  ];
}

/** Query parameters stand on lines of their own (`-G` puts them into the address), so that no line is cut off in the reference. */
function curlSample(operation: OperationSpec, used: readonly Argument[]): string {
  const query = used.filter(at('query'));
  const options = [
    '-s',
    ...(query.length === 0 ? [] : ['-G']),
    ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`]),
  ];
  return [
    `curl ${options.join(' ')} '${addressOf(
      operation,
      used.filter((argument) => argument.in !== 'query'),
    )}'`,
    ...query.map(({ name, value }) => `--data-urlencode '${name}=${value}'`),
    ...headersOf(used).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' \\\n  ');
}

function typeScriptSample(operation: OperationSpec, used: readonly Argument[]): string {
  const method = operation.wideEffect?.narrow ?? operation.operationId;
  const brand = used.find(({ name, in: place }) => place === 'header' && name === 'Brand')?.value;
  const members = used.filter(({ in: place }) => place !== 'header').map(({ name, value }) => `${name}: '${value}'`);
  return [
    "import { createVehicleDataClient } from '@vehicle-data/client';",
    '',
    'const client = createVehicleDataClient({',
    `  baseUrl: '${baseUrl}',`,
    ...(brand === undefined ? [] : [`  brand: '${brand}',`]),
    `  accessToken: '${accessToken}',`,
    '});',
    `const data = await client.${method}(${members.length === 0 ? '' : objectLiteral(members)});`,
    'console.log(data);',
  ].join('\n');
}

function objectLiteral(members: readonly string[]): string {
  const line = `{ ${members.join(', ')} }`;
  return line.length <= 60 ? line : `{\n${members.map((member) => `  ${member},\n`).join('')}}`;
}

function pythonSample(operation: OperationSpec, used: readonly Argument[]): string {
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    "${addressOf(operation, used)}",`,
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    '    headers={',
    ...headersOf(used).map(([name, value]) => `        "${name}": "${value}",`),
    '    },',
    ')',
    'with urlopen(request, timeout=30) as answer:',
    '    print(json.load(answer)["data"])',
  ].join('\n');
}
