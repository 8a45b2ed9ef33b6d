import type { Contract } from './contract.ts';
import { plainMarkdown } from './links.ts';
import type { Page } from './page.ts';

/** An index for language models (https://llmstxt.org), grouped as the menu is. */
export function llmsTxt({ info }: Contract, groups: Readonly<Record<string, readonly Page[]>>): string {
  const line = ({ path, title, description }: Page) => `- [${title}](${path}.md): ${description}`;
  return `${[
    `# ${info.title}`,
    `> ${info.summary} Contract version ${info.version}.`,
    [
      'Every request needs the `Brand` header. Every request except the vehicle list needs `Authorization: Bearer <ACCESS_TOKEN>`.',
      'Decide by `error.code`, not by the HTTP status. `DELETE /v1/vehicles/consent` without `vin` stops sharing for every vehicle of the brand.',
      'The whole text in one file: [llms-full.txt](llms-full.txt).',
    ].join('\n'),
    ...Object.entries(groups).map(([name, pages]) => `## ${name}\n\n${pages.map(line).join('\n')}`),
    '## Contract\n\n- [openapi.yaml](openapi.yaml): OpenAPI 3.1, as YAML\n- [openapi.json](openapi.json): OpenAPI 3.1, as JSON',
  ].join('\n\n')}\n`;
}

/** All pages in one file, for readers that take everything at once. */
export const llmsFullTxt = (pages: readonly Page[]) => pages.map(plainMarkdown).join('\n---\n\n');
