import { readFile, rm, writeFile } from 'node:fs/promises';
import { redocly } from '../bundle.ts';
import { colouredCode } from './coloured-code.ts';
import { type DocsSource, docsDocument, logo } from './docs-document.ts';
import { sealPage } from './seal-page.ts';

/** Builds the self-contained page of guides and reference. */
export async function buildPage(folder: string, output: string, source: DocsSource): Promise<void> {
  const theme = `${folder}/docs-theme`;
  // Redocly takes the document from a file only.
  const input = `${output}.json`;
  await writeFile(input, JSON.stringify(docsDocument(source)));
  const info = source.document['info'] as { title: string; summary: string };
  const [css, script] = await Promise.all([
    readFile(`${theme}/theme.css`, 'utf8'),
    readFile(`${theme}/page.js`, 'utf8'),
    redocly(
      folder,
      'build-docs',
      input,
      '--inlineBundle',
      ...['--config', `${theme}/redocly.yaml`],
      ...['--template', `${theme}/page.hbs`],
      ...['--title', info.title],
      ...['--templateOptions.summary', info.summary],
      ...['--templateOptions.icon', logo],
      ...['--output', output],
    ),
  ]);
  const page = await readFile(output, 'utf8');
  const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
  const filled = script
    .replace("JSON.parse('{}')", () => inScript(source.links))
    .replace("JSON.parse('[]')", () => inScript(colouredCode(source.guides)));
  await writeFile(output, sealPage(page, { theme: css, script: filled }));
  await rm(input);
}
