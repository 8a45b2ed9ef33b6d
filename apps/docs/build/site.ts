import { errorCatalogue, operations as operationTable } from '@vehicle-data/openapi';
import { schemasOf } from '@vehicle-data/openapi/model';
import menu from '../guides/menu.json' with { type: 'json' };
import { contract, errorExample } from './contract.ts';
import { fenced, firstSentence, type Page, readableJson, table } from './markdown.ts';
import { clientErrorPages, errorPage, errorTable } from './pages/errors.ts';
import { unitTables } from './pages/fields.ts';
import { dateRangeRules, guidePage, readChanges } from './pages/guides.ts';
import { operationPage } from './pages/operations.ts';
import { sdkPages } from './pages/sdk.ts';

const operations = Object.values(operationTable);

/** What VitePress turns into the site. */
export type Site = Awaited<ReturnType<typeof collectSite>>;

/** Collects every page by its group in the menu. */
export async function collectSite() {
  const blocks = {
    ...readChanges(),
    'date-range-rules': dateRangeRules(operationTable.getDrivingData.dateRange),
    'error-example': fenced('json', readableJson(errorExample('4002'))),
    'error-table': errorTable(errorCatalogue),
    'unit-tables': unitTables(operations),
    'validators-of-operations': table(
      ['Requests', 'Responses', 'Operation'],
      operations.map(({ operationId: id, summary }) => [`\`${id}Request\``, `\`${id}Response\``, summary]),
    ),
    'validators-of-schemas': table(
      ['Validator', 'Type guard', 'What it checks'],
      schemasOf(contract).map(([name, schema]) => {
        const description = schema.optional('description')?.string() ?? '';
        return [`\`${name}\``, `\`is${name}\``, firstSentence(description).replace(/\.$/, '')];
      }),
    ),
  };
  const guides = Object.entries(menu).map(
    ([group, files]) => [group, files.map((file) => guidePage(file, blocks))] as const,
  );
  const sdkGuide = guides.flatMap(([, pages]) => pages).find(({ path }) => path === 'guides/sdk');
  if (!sdkGuide) throw new Error('the menu has no guide to the SDK');
  const groups: Readonly<Record<string, readonly Page[]>> = {
    ...Object.fromEntries(guides),
    Operations: operations.map((operation) => operationPage(operation)),
    Errors: [...errorCatalogue.map((entry) => errorPage(entry, operations)), ...clientErrorPages(sdkGuide)],
    'SDK reference': await sdkPages(),
  };
  return { groups };
}
