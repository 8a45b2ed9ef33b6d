import type { OperationSpec } from '@vehicle-data/openapi';
import { contract, responseExample } from '../contract.ts';
import { fenced, firstSentence, type Page, readableJson, table } from '../markdown.ts';
import { baseUrl, samplesOf } from '../samples.ts';
import { consoleOf } from './console.ts';
import { errorGroups, errorsOf } from './errors.ts';
import { fieldTable } from './fields.ts';

/** The page of one operation: request and response side by side, then parameters, fields and errors. */
export function operationPage(operation: OperationSpec): Page {
  const { operationId, method, path, summary, description, wideEffect } = operation;
  const fields = fieldTable(operation);
  const samples = samplesOf(operation);
  return {
    path: `operations/${operationId}`,
    title: summary,
    description: `${method} ${path}`,
    wide: true,
    keywords: [operationId, ...Object.keys(operation.series?.signals ?? {})],
    text: [
      `<div class="method-bar ${method.toLowerCase()}">`,
      `**${method}** \`${path}\` · operation \`${operationId}\`${operation.deprecated ? ' · **deprecated**' : ''}`,
      '</div>',
      withoutOpenPoints(description),
      operation.bearer === 'required' ? 'Requires an access token.' : 'The access token is optional.',
      `<OperationConsole spec="${consoleOf(operation)}" />`,
      '<div class="columns"><div>',
      '## Request',
      `::: code-group\n${samples.map(({ fence, label, source }) => fenced(`${fence} [${label}]`, source)).join('\n')}\n:::`,
      ...(wideEffect
        ? [`Put the sandbox back afterwards: \`curl -X POST ${baseUrl.replace('8787', '8788')}/sandbox/reset\`.`]
        : []),
      '</div><div>',
      '## Response',
      `<LiveResponse operation="${operationId}">`,
      fenced('json', readableJson(responseExample(operation))),
      '</LiveResponse>',
      '</div></div>',
      `## Parameters\n\n${parameterTable(operation)}`,
      ...(fields === '' ? [] : [`## Response fields\n\n${fields}`]),
      `## Errors\n\n${errorGroups(errorsOf(operation))}`,
    ].join('\n\n'),
  };
}

/** A description with a link in place of what "What is not specified" says of all operations. */
function withoutOpenPoints(description: string): string {
  const sentences = description.split(/(?<=\.)\s+(?=[A-Z*`])/);
  const kept = sentences.filter(
    (sentence) => !/^This implementation assumes |(?:is|are) not specified\.$/.test(sentence),
  );
  const link = '[What is not specified](../guides/not-specified.md) lists its open points.';
  return (kept.length < sentences.length ? [...kept, link] : kept).join(' ');
}

/** Parameters with the values or, in words, the rule of their schema. */
function parameterTable({ parameters }: OperationSpec): string {
  const rows = parameters.map(({ name, in: place, required, description, schema, rule }) => {
    const rules = contract.child('components').child('schemas').child(schema).child('description').string();
    const allowed = rule.enum?.map((value) => `\`${value}\``).join(', ') ?? firstSentence(rules);
    return [`\`${name}\``, place, required ? 'yes' : 'no', description, allowed];
  });
  return table(['Parameter', 'In', 'Required', 'Description', 'Value'], rows);
}
