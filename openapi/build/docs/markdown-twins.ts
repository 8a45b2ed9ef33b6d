import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { JsonObject } from '../bundle.ts';
import { Place } from '../reader.ts';
import type { Guide } from './guides.ts';
import { samplesOf } from './samples.ts';
import { fieldTable, limitTable, operationErrorTable } from './tables.ts';

const fences = { curl: 'sh', TypeScript: 'ts', Python: 'python' } as const;

/** Short addresses of the page as links between the Markdown files. `folder` is that of the file that links. */
function linksInFile(text: string, folder: 'guides' | 'operations'): string {
  const toGuides = folder === 'guides' ? '' : '../guides/';
  return text.replaceAll(/\]\(#error-([a-z0-9-]+)\)/g, (_, code: string) => `](${toGuides}errors.md#${code})`);
}

/** A guide as a file of its own. */
export function guideTwin({ title, text }: Guide): string {
  return `# ${title}\n\n${linksInFile(text, 'guides')}\n`;
}

/** An operation as a file of its own: what the page shows, for those who read text. */
export function operationTwin(operation: OperationSpec, errors: readonly ErrorEntry[], document: JsonObject): string {
  const root = Place.root(document);
  const fields = fieldTable(operation, root);
  const example = exampleAnswer(operation, root);
  const bearer =
    operation.bearer === 'required' ? 'A bearer access token is required.' : 'A bearer access token is optional.';
  const parts = [
    `# ${operation.summary}`,
    `\`${operation.method} ${operation.path}\` · operation \`${operation.operationId}\``,
    ...(operation.deprecated ? ['**Deprecated.**'] : []),
    operation.description,
    bearer,
    `## Parameters\n\n${limitTable(operation)}`,
    ...samplesOf(operation, root).map(
      ({ lang, label, source }) => `## Sample: ${label}\n\n\`\`\`${fences[lang]}\n${source}\n\`\`\``,
    ),
    `## Answer\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ...(fields === '' ? [] : [`## Units and ranges\n\n${fields}`]),
    `## Errors\n\n${operationErrorTable(operation, errors)}`,
  ];
  return `${linksInFile(parts.join('\n\n'), 'operations')}\n`;
}

/** The first example of the good answer. */
function exampleAnswer({ path, method }: OperationSpec, root: Place): unknown {
  const [, example] =
    root
      .child('paths')
      .child(path)
      .child(method.toLowerCase())
      .child('responses')
      .child('200')
      .resolved('responses')
      .child('content')
      .child('application/json')
      .child('examples')
      .entries()[0] ?? [];
  return example?.resolved('examples').child('value').value;
}
