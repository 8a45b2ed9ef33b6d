import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { JsonObject } from '../bundle.ts';
import { Place } from '../reader.ts';
import { readChanges } from './changes.ts';
import { contractChanges, releasedNotes, unreleasedNotes } from './changes-in-words.ts';
import { drawFigures } from './figures/draw-figures.ts';
import { type Figure, figureFile, figureInPage } from './figures/svg.ts';
import { readGuides } from './guides.ts';
import { type Info, llmsTxt } from './llms-txt.ts';
import { guideTwin, operationTwin } from './markdown-twins.ts';
import { buildPage } from './page.ts';
import { shortLinks } from './routes.ts';
import { buildSite } from './site.ts';
import { errorEntries, errorTable, operationValidators, schemaValidators, unitTables } from './tables.ts';

/** What the docs are made from. */
export interface DocsInput {
  /** Folder of the contract. */
  readonly folder: string;
  /** Folder with the bundles, in which the docs folder is made. */
  readonly dist: string;
  readonly document: JsonObject;
  readonly operations: readonly OperationSpec[];
  readonly errors: readonly ErrorEntry[];
}

/** Builds everything that people and agents read: the page, its twins in Markdown, the figures and the index for agents. */
export async function buildDocs({ folder, dist, document, operations, errors }: DocsInput): Promise<void> {
  const output = `${dist}/docs`;
  const root = Place.root(document).child('info');
  const text = (key: string) => root.child(key).string();
  const info: Info = { title: text('title'), summary: text('summary'), version: text('version') };
  const [figures, changes] = await Promise.all([drawFigures(operations), readChanges(folder)]);
  const blocks = {
    'error-table': errorTable(errors),
    'error-entries': errorEntries(errors),
    'unit-tables': unitTables(operations, Place.root(document)),
    'validators-of-operations': operationValidators(operations),
    'validators-of-schemas': schemaValidators(Place.root(document)),
    unreleased: unreleasedNotes(changes),
    'contract-changes': contractChanges(changes),
    releases: releasedNotes(changes),
  };
  const withFigures = (draw: (name: string, figure: Figure) => string) =>
    readGuides(folder, {
      ...blocks,
      ...Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`figure-${name}`, draw(name, figure)])),
    });
  const [guides, twins, theme] = await Promise.all([
    withFigures((_, figure) => figureInPage(figure)),
    withFigures((name, { alternative, caption }) => `![${alternative}](../figures/${name}.svg)\n\n*${caption}*`),
    readFile(`${folder}/docs-theme/theme.css`, 'utf8'),
  ]);
  const files: Readonly<Record<string, string>> = {
    'llms.txt': llmsTxt(info, twins, operations),
    ...Object.fromEntries(twins.map((guide) => [`guides/${guide.name}.md`, guideTwin(guide)])),
    ...Object.fromEntries(
      operations.map((operation) => [
        `operations/${operation.operationId}.md`,
        operationTwin(operation, errors, document),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(figures).map(([name, figure]) => [`figures/${name}.svg`, figureFile(figure, theme)]),
    ),
  };
  const folders = new Set(Object.keys(files).map((name) => dirname(`${output}/${name}`)));
  await Promise.all([...folders].map((path) => mkdir(path, { recursive: true })));
  await Promise.all([
    ...Object.entries(files).map(([name, text]) => writeFile(`${output}/${name}`, text)),
    ...['openapi.json', 'openapi.yaml'].map((name) => copyFile(`${dist}/${name}`, `${output}/${name}`)),
    buildPage(folder, `${output}/index.html`, {
      document,
      operations,
      errors,
      guides,
      links: shortLinks(guides, operations, errors),
    }),
  ]);
  await buildSite(folder, dist, { info, guides: twins, operations, changes });
}
