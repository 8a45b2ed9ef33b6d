import { mkdir } from 'node:fs/promises';
import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { JsonObject } from '../bundle.ts';
import { Place } from '../reader.ts';
import { readGuides } from './guides.ts';
import { buildPage } from './page.ts';
import { shortLinks } from './routes.ts';
import { errorEntries, errorTable, unitTables } from './tables.ts';

/** Builds everything that people and agents read: the page, and its twins in Markdown. */
export async function buildDocs(
  folder: string,
  output: string,
  document: JsonObject,
  operations: readonly OperationSpec[],
  errors: readonly ErrorEntry[],
): Promise<void> {
  await mkdir(output, { recursive: true });
  const guides = await readGuides(folder, {
    'error-table': errorTable(errors),
    'error-entries': errorEntries(errors),
    'figure-token-life-cycle': '',
    'figure-date-window': '',
    'figure-trip': '',
    'unit-tables': unitTables(operations, Place.root(document)),
  });
  const links = shortLinks(guides, operations, errors);
  await buildPage(folder, `${output}/index.html`, { document, operations, errors, guides, links });
}
