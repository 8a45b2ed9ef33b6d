import { errorCatalogue, operations as operationTable } from '@vehicle-data/openapi';
import type { Contract } from './contract.ts';
import { anchorOf, fenced, firstSentence, type Page, readableJson, table } from './markdown.ts';
import { readChanges } from './pages/changelog.ts';
import { dateRangeRules } from './pages/date-range.ts';
import { clientErrorPages, errorPage, errorTable } from './pages/errors.ts';
import { unitTables } from './pages/fields.ts';
import { guidePage, readMenu } from './pages/guides.ts';
import { operationPage } from './pages/operations.ts';
import { sdkPages } from './pages/sdk.ts';

const operations = Object.values(operationTable);

/** Everything that VitePress turns into the site. */
export interface Site {
  /** Every page, by its group in the menu. */
  readonly groups: Readonly<Record<string, readonly Page[]>>;
  /** Where the fragments of the former one-page docs lead, in lower case and without `error-`, `guide-` or the name of a tag. */
  readonly moved: Readonly<Record<string, string>>;
}

export async function collectSite(contract: Contract): Promise<Site> {
  const blocks = {
    ...readChanges(),
    'date-range-rules': dateRangeRules(operationTable.getDrivingData.dateRange),
    'error-example': fenced('json', readableJson(contract.components.examples['error-4002']?.value)),
    'error-table': errorTable(errorCatalogue),
    'unit-tables': unitTables(operations, contract),
    ...validatorTables(contract),
  };
  const menu = Object.entries(await readMenu());
  const guides = await Promise.all(
    menu.map(
      async ([group, files]) => [group, await Promise.all(files.map((file) => guidePage(file, blocks)))] as const,
    ),
  );
  const sdkGuide = guides.flatMap(([, pages]) => pages).find(({ path }) => path === 'guides/sdk');
  if (!sdkGuide) throw new Error('the menu has no guide to the SDK');
  const groups = {
    ...Object.fromEntries(guides),
    Operations: operations.map((operation) => operationPage(operation, contract)),
    Errors: [...errorCatalogue.map((entry) => errorPage(entry, operations, contract)), ...clientErrorPages(sdkGuide)],
    'SDK reference': await sdkPages(),
  };
  const moved = Object.values(groups)
    .flat()
    .flatMap(({ path, title }) => [
      [path.replace(/.*\//, '').toLowerCase(), `${path}/`],
      [anchorOf(title), `${path}/`],
    ]);
  return { groups, moved: Object.fromEntries(moved) };
}

/** What each operation and each component schema adds to `@vehicle-data/validators`. A test compares the names with its exports. */
function validatorTables({ components }: Contract) {
  return {
    'validators-of-operations': table(
      ['Requests', 'Responses', 'Operation'],
      operations.map(({ operationId, summary }) => [
        `\`${operationId}Request\``,
        `\`${operationId}Response\``,
        summary,
      ]),
    ),
    'validators-of-schemas': table(
      ['Validator', 'Type guard', 'What it checks'],
      Object.entries(components.schemas).map(([name, { description = '' }]) => [
        `\`${name}\``,
        `\`is${name}\``,
        firstSentence(description).replace(/\.$/, ''),
      ]),
    ),
  };
}
