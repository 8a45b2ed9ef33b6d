import type { OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { type Contract, successOf } from '../contract.ts';
import { fenced, type Page, readableJson, table } from '../markdown.ts';
import { accessToken, baseUrl, requestOf, samplesOf } from '../samples.ts';
import { errorsOf, errorTable } from './errors.ts';
import { fieldTable } from './fields.ts';

/** The page of one operation: request and response side by side, then parameters, fields and errors. */
export function operationPage(operation: OperationSpec, contract: Contract): Page {
  const { operationId, method, path, summary, description, wideEffect } = operation;
  const { schema, example } = successOf(contract, operation);
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
      `## Errors\n\n${errorTable(errorsOf(operation))}`,
    ].join('\n\n'),
  };
}

/** A button that sends the sample, for readers whose page comes from a proxy on their machine. */
function sendButton(operation: OperationSpec, contract: Contract): string {
  const { path, brand } = requestOf(operation, contract);
  const [signal = ''] = Object.entries(operation.series?.signals ?? {}).find(([, { kind }]) => kind === 'number') ?? [];
  const items = operation.series?.items ?? '';
  return `<SendRequest path="${path.replaceAll('&', '&amp;')}" brand="${brand}" token="${accessToken}" items="${items}" signal="${signal}" />`;
}

const formats: Readonly<Record<string, string>> = {
  'basic-date': 'calendar day, yyyyMMdd',
  'iana-time-zone': 'IANA time zone identifier',
};

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
    ...(rule.enum ? [rule.enum.map((value) => `\`${value}\``).join(', ')] : []),
    ...(format === undefined ? [] : [formats[format] ?? format]),
    ...(maxLength === undefined || format === 'basic-date'
      ? []
      : [`${minLength === maxLength ? '' : 'at most '}${maxLength} characters`]),
    ...(dateRange?.end === name ? [`0 to ${dateRange.maxDays} days after \`${dateRange.start}\``] : []),
    ...(wideEffect?.parameter === name ? ['**if you omit it, the call affects every vehicle of the brand**'] : []),
    ...(rule.default === undefined ? [] : [`default \`${rule.default}\``]),
  ];
}
