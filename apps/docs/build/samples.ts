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

/** What a sample sends: required parameters, and the one whose absence would widen the effect. */
function argumentsOf(operation: OperationSpec, { components }: Contract) {
  const used: readonly Argument[] = operation.parameters
    .filter(({ name, required }) => required || operation.wideEffect?.parameter === name)
    .map((parameter) => {
      const { name, schema } = parameter;
      const value = ownValues[operation.operationId]?.[name] ?? components.schemas[schema]?.examples?.[0];
      if (typeof value !== 'string') throw new Error(`${schema} needs an example, from which samples are made`);
      return { ...parameter, value };
    });
  const at = (place: ParameterSpec['in']) => used.filter(({ in: its }) => its === place);
  return { inPath: at('path'), inQuery: at('query'), inHeader: at('header') };
}

const pathOf = ({ path }: OperationSpec, inPath: readonly Argument[]) =>
  inPath.reduce((text, { name, value }) => text.replace(`{${name}}`, () => value), path);

const queryOf = (inQuery: readonly Argument[]) =>
  inQuery.length === 0 ? '' : `?${inQuery.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** Path and brand of the sample request. */
export function requestOf(operation: OperationSpec, contract: Contract): { path: string; brand: string } {
  const { inPath, inQuery, inHeader } = argumentsOf(operation, contract);
  const brand = inHeader.find(({ name }) => name === 'Brand')?.value ?? '';
  return { path: pathOf(operation, inPath) + queryOf(inQuery), brand };
}

/** Samples of an operation in every language. */
export function samplesOf(operation: OperationSpec, contract: Contract): readonly Sample[] {
  return [
    { label: 'curl', fence: 'sh', source: curlSample(operation, contract) },
    { label: 'TypeScript', fence: 'ts', source: typeScriptSample(operation, contract) },
    { label: 'Python', fence: 'python', source: pythonSample(operation, contract) },
  ];
}

/** The address and every parameter have a line of their own, so no line is cut off. A series is long: its start is shown. */
function curlSample(operation: OperationSpec, contract: Contract): string {
  const { inPath, inQuery, inHeader } = argumentsOf(operation, contract);
  const variables = inPath.map((argument) => ({ ...argument, value: `$${argument.name.toUpperCase()}` }));
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `;
  const lines = [
    `curl -s ${inQuery.length > 0 ? '-G ' : ''}${method}"$BASE${pathOf(operation, variables)}"`,
    ...inQuery.map(({ name, value }) => `-d ${name}=${value}`),
    ...inHeader.map(({ name, value }) => `-H '${name}: ${value}'`),
    `-H 'Authorization: Bearer ${accessToken}'`,
    ...(operation.series ? ['| head -c 700'] : []),
  ];
  const values = [`BASE=${baseUrl}`, ...inPath.map(({ name, value }) => `${name.toUpperCase()}=${value}`)];
  return `${values.join(' ')}\n${lines.join(' \\\n  ')}`;
}

function typeScriptSample(operation: OperationSpec, contract: Contract): string {
  const { inPath, inQuery } = argumentsOf(operation, contract);
  const members = [...inPath, ...inQuery].map(({ name, value }) => `  ${name}: '${value}',\n`).join('');
  const method = operation.wideEffect?.narrow ?? operation.operationId;
  const call = `await client.${method}(${members && `{\n${members}}`});`;
  return `import { createVehicleDataClient } from '@vehicle-data/client';

const client = createVehicleDataClient({
  baseUrl: '${baseUrl}',
  brand: '${requestOf(operation, contract).brand}',
  accessToken: '${accessToken}',
});
${typeScriptOutput(operation, call)}`;
}

function typeScriptOutput({ series }: OperationSpec, call: string): string {
  if (!series) return `const data = ${call}\nconsole.log(data);`;
  const [signal = '', spec] = Object.entries(series.signals).find(([, { kind }]) => kind === 'number') ?? [];
  return `const { ${series.items} } = ${call}
for (const trip of ${series.items}) {
  const last = trip.${signal.replaceAll('.', '?.')}?.at(-1);
  console.log(trip.${series.startTime}, last, '${spec?.kind === 'number' ? spec.unit : ''}');
}`;
}

function pythonSample(operation: OperationSpec, contract: Contract): string {
  const { inPath, inQuery, inHeader } = argumentsOf(operation, contract);
  const query = queryOf(inQuery);
  const method = operation.method === 'GET' ? '' : `    method="${operation.method}",\n`;
  const headers = [...inHeader, { name: 'Authorization', value: `Bearer ${accessToken}` }];
  const { series } = operation;
  return `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE = "${baseUrl}"
request = Request(
    BASE + "${pathOf(operation, inPath)}"${query && `\n    "${query}"`},
${method}    headers={
${headers.map(({ name, value }) => `        "${name}": "${value}",`).join('\n')}
    },
)
try:
    with urlopen(request, timeout=30) as response:
        data = json.load(response)["data"]
except HTTPError as error:
    raise SystemExit(json.load(error)["error"]["code"])
${
  series
    ? `for trip in data["${series.items}"]:\n    print(trip["${series.startTime}"], trip["${series.duration}"] / 60_000, "minutes")`
    : 'print(data)'
}`;
}
