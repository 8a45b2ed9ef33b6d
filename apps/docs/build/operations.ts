import type { ErrorEntry, OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { type Contract, successOf } from './contract.ts';
import { fieldTable } from './fields.ts';
import { fenced, readableJson, table } from './markdown.ts';
import type { Page } from './page.ts';
import { accessToken, baseUrl, requestOf, samplesOf } from './samples.ts';

/** The errors that an operation can return. */
export function errorsOf({ operationId }: OperationSpec, errors: readonly ErrorEntry[]): readonly ErrorEntry[] {
  return errors.filter(({ operations }) => operations.includes(operationId));
}

/** The page of one operation: request and response side by side, then parameters, fields and errors. */
export function operationPage(operation: OperationSpec, errors: readonly ErrorEntry[], contract: Contract): Page {
  const { operationId, method, path, summary, description, wideEffect } = operation;
  const { schema, example } = successOf(contract, path, method);
  const fields = fieldTable(schema);
  const samples = samplesOf(operation, contract);
  return {
    path: `operations/${operationId}`,
    title: summary,
    description: `${method} ${path}`,
    wide: true,
    keywords: [operationId, ...Object.keys(operation.series?.signals ?? {})],
    text: [
      `\`${method} ${path}\` · operation \`${operationId}\`${operation.deprecated ? ' · **deprecated**' : ''}`,
      description,
      operation.bearer === 'required' ? 'Requires an access token.' : 'The access token is optional.',
      '<div class="columns"><div>',
      '## Request',
      `::: code-group\n${samples.map(({ fence, label, source }) => fenced(`${fence} [${label}]`, source)).join('\n')}\n:::`,
      ...(wideEffect
        ? [`Put the sandbox back afterwards: \`curl -X POST ${baseUrl.replace('8787', '8788')}/sandbox/reset\`.`]
        : []),
      ...(method === 'GET' ? [sendButton(operation, contract)] : []),
      '</div><div>',
      '## Response',
      fenced('json', readableJson(example)),
      '</div></div>',
      `## Parameters\n\n${parameterTable(operation)}`,
      ...(fields === '' ? [] : [`## Response fields\n\n${fields}`]),
      `## Errors\n\n${errorTable(errorsOf(operation, errors))}`,
    ].join('\n\n'),
  };
}

/** A button that sends the sample, for readers whose page comes from a proxy on their machine. */
function sendButton(operation: OperationSpec, contract: Contract): string {
  const { path, brand } = requestOf(operation, contract);
  const [signal = ''] = Object.entries(operation.series?.signals ?? {}).find(([, { kind }]) => kind === 'number') ?? [];
  const attributes = { path, brand, token: accessToken, items: operation.series?.items ?? '', signal };
  return `<SendRequest ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value.replaceAll('&', '&amp;')}"`)
    .join(' ')} />`;
}

const formats: ReadonlyMap<string, string> = new Map([
  ['basic-date', 'calendar day, yyyyMMdd'],
  ['iana-time-zone', 'IANA time zone identifier'],
]);

function parameterTable(operation: OperationSpec): string {
  return table(
    ['Parameter', 'In', 'Required', 'Description', 'Rule'],
    operation.parameters.map((parameter) => [
      `\`${parameter.name}\``,
      parameter.in,
      parameter.required ? 'yes' : 'no',
      parameter.description,
      rulesOf(operation, parameter).join('; '),
    ]),
  );
}

function rulesOf({ dateRange, wideEffect }: OperationSpec, { name, rule }: ParameterSpec): readonly string[] {
  const { minLength, maxLength, format } = rule;
  return [
    rule.enum?.map((value) => `\`${value}\``).join(', '),
    format === undefined ? undefined : (formats.get(format) ?? format),
    maxLength === undefined || format === 'basic-date'
      ? undefined
      : `${minLength === maxLength ? '' : 'at most '}${maxLength} characters`,
    dateRange?.end === name ? `0 to ${dateRange.maxDays} days after \`${dateRange.start}\`` : undefined,
    wideEffect?.parameter === name ? '**if you omit it, the call affects every vehicle of the brand**' : undefined,
    rule.default === undefined ? undefined : `default \`${rule.default}\``,
  ].filter((part) => part !== undefined);
}

function errorTable(errors: readonly ErrorEntry[]): string {
  return table(
    ['Code', 'HTTP', 'Meaning', 'Next step'],
    errors.map(({ code, status, meaning, resolution }) => [
      `[\`${code}\`](../errors/${code}.md)`,
      String(status),
      meaning,
      `\`${resolution}\``,
    ]),
  );
}

/** Every field of every response, by operation: for the guide of units. */
export function unitTables(operations: readonly OperationSpec[], contract: Contract): string {
  return operations
    .map(({ path, method, summary, operationId }) => [
      summary,
      operationId,
      fieldTable(successOf(contract, path, method).schema),
    ])
    .filter(([, , fields]) => fields !== '')
    .map(
      ([summary, operationId, fields]) =>
        `## ${summary}\n\nOperation [\`${operationId}\`](../operations/${operationId}.md).\n\n${fields}`,
    )
    .join('\n\n');
}
