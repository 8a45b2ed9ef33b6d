import type { OperationSpec } from '../../src/contract.ts';
import type { Guide } from './guides.ts';

/** What the docs say of themselves. */
export interface Info {
  readonly title: string;
  readonly summary: string;
  readonly version: string;
}

/** The first sentence of a guide. */
export function firstSentence(text: string): string {
  return /^[^\n]*?\.(?=\s|$)/.exec(text.replaceAll(/\s*\n(?!\n)/g, ' '))?.[0] ?? '';
}

/** An index for language models (https://llmstxt.org): what this is, and where each part stands as plain text. */
export function llmsTxt(info: Info, guides: readonly Guide[], operations: readonly OperationSpec[]): string {
  const guideLine = ({ name, title, text }: Guide) => `- [${title}](guides/${name}.md): ${firstSentence(text)}`;
  const operationLine = ({ operationId, summary, method, path }: OperationSpec) =>
    `- [${operationId}](operations/${operationId}.md): ${summary}. \`${method} ${path}\``;
  return `${[
    `# ${info.title}`,
    `> ${info.summary} Contract version ${info.version}.`,
    [
      'Every call needs the `Brand` header; every call but the vehicle list needs `Authorization: Bearer <ACCESS_TOKEN>`.',
      'Decide by `error.code`, not by the HTTP status. `DELETE /v1/vehicles/consent` without `vin` stops sharing for every vehicle of the brand.',
    ].join('\n'),
    `## Guides\n\n${guides.map(guideLine).join('\n')}`,
    `## Operations\n\n${operations.map(operationLine).join('\n')}`,
    [
      '## Contract',
      '',
      '- [openapi.yaml](openapi.yaml): the whole contract, OpenAPI 3.1, as YAML',
      '- [openapi.json](openapi.json): the same as JSON',
    ].join('\n'),
  ].join('\n\n')}\n`;
}
