import type { OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { contract } from './contract.ts';

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

/** What a sample sends: required parameters, and the one whose absence would widen the effect. */
function argumentsOf({ operationId, parameters, wideEffect }: OperationSpec, place: ParameterSpec['in']) {
  const used = parameters.filter(({ name, required }) => required || wideEffect?.parameter === name);
  return used
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema }) => {
      const rule = contract.child('components').child('schemas').child(schema);
      const example = ownValues[operationId]?.[name] ?? rule.child('examples').items()[0]?.string();
      return { name, value: example ?? rule.fail('an example is missing, from which samples are made') };
    });
}

/** The value that the samples of an operation give each parameter. */
export const valuesOf = (operation: OperationSpec): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['path', 'query', 'header'] as const).flatMap((place) =>
      argumentsOf(operation, place).map(({ name, value }) => [name, value] as const),
    ),
  );

/** Path, query and headers of the sample request. */
export function requestOf(operation: OperationSpec) {
  const inPath = argumentsOf(operation, 'path');
  const path = inPath.reduce((text, { name, value }) => text.replace(`{${name}}`, value), operation.path);
  const query = argumentsOf(operation, 'query').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const headers = [...argumentsOf(operation, 'header'), { name: 'Authorization', value: `Bearer ${accessToken}` }];
  const brand = headers.find(({ name }) => name === 'Brand')?.value ?? '';
  return { path, query, headers, brand, address: [path, query.join('&')].filter(Boolean).join('?') };
}

/** Samples of an operation, each with the language of its code block. */
export function samplesOf(operation: OperationSpec) {
  return [
    { label: 'curl', fence: 'sh', source: curlSample(operation) },
    { label: 'TypeScript', fence: 'ts', source: typeScriptSample(operation) },
    { label: 'Python', fence: 'python', source: pythonSample(operation) },
  ];
}

/** The address and every parameter have a line of their own, so no line is cut off. A series is long: its start is shown. */
function curlSample(operation: OperationSpec): string {
  const { query, headers } = requestOf(operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const variables = argumentsOf(operation, 'path').map(({ name, value }) => ` ${name.toUpperCase()}=${value}`);
  const options = `${query.length > 0 ? '-G ' : ''}${operation.method === 'GET' ? '' : `-X ${operation.method} `}`;
  const lines = [
    `curl -s ${options}"$BASE${path}"`,
    ...query.map((pair) => `-d ${pair}`),
    ...headers.map(({ name, value }) => `-H '${name}: ${value}'`),
    ...(operation.series ? ['| head -c 700'] : []),
  ];
  return `BASE=${baseUrl}${variables.join('')}\n${lines.join(' \\\n  ')}`;
}

function typeScriptSample(operation: OperationSpec): string {
  const used = [...argumentsOf(operation, 'path'), ...argumentsOf(operation, 'query')];
  const members = used.map(({ name, value }) => `  ${name}: '${value}',\n`).join('');
  const method = operation.wideEffect?.narrow ?? operation.operationId;
  const call = `await client.${method}(${members && `{\n${members}}`});`;
  const { items = '', startTime, signals = {} } = operation.series ?? {};
  const [signal = '', spec] = Object.entries(signals).find(([, { kind }]) => kind === 'number') ?? [];
  const output = operation.series
    ? `const { ${items} } = ${call}
for (const trip of ${items}) {
  const last = trip.${signal.replaceAll('.', '?.')}?.at(-1);
  console.log(trip.${startTime}, last, '${spec?.kind === 'number' ? spec.unit : ''}');
}`
    : `const data = ${call}\nconsole.log(JSON.stringify(data, null, 2));`;
  return `import { createVehicleDataClient } from '@vehicle-data/client';

const client = createVehicleDataClient({
  baseUrl: '${baseUrl}',
  brand: '${requestOf(operation).brand}',
  accessToken: '${accessToken}',
});
${output}`;
}

function pythonSample(operation: OperationSpec): string {
  const { path, query, headers } = requestOf(operation);
  const { method, series } = operation;
  return `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE = "${baseUrl}"
request = Request(
    BASE + "${path}"${query.length > 0 ? `\n    "?${query.join('&')}"` : ''},
    method="${method}",
    headers={
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
    ? `for trip in data["${series.items}"]:
    minutes = trip["${series.duration}"] / 60_000
    print(trip["${series.startTime}"], minutes, "minutes")`
    : 'print(data)'
}`;
}
