import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { JsonObject } from '../bundle.ts';
import { Place } from '../reader.ts';
import type { Guide } from './guides.ts';
import { linksInPage, slug } from './routes.ts';
import { baseUrl, samplesOf } from './samples.ts';
import { errorsOf, fieldTable, limitTable, operationErrorTable } from './tables.ts';

/** What the docs are made of. */
export interface DocsSource {
  readonly document: JsonObject;
  readonly operations: readonly OperationSpec[];
  readonly errors: readonly ErrorEntry[];
  readonly guides: readonly Guide[];
  readonly links: Readonly<Record<string, string>>;
}

/**
 * The contract as the page shows it: guides stand in the menu before the reference, and every operation has its samples and
 * tables. Only the page is made of it; the published contract stays lean.
 */
export function docsDocument({ document, operations, errors, guides, links }: DocsSource): JsonObject {
  const root = Place.root(document);
  const tags = root.child('tags').items();
  const paths = Object.fromEntries(
    root
      .child('paths')
      .entries()
      .map(([path, item]) => [
        path,
        Object.fromEntries(
          item.entries().map(([method, place]) => {
            const operation = operations.find(({ operationId }) => operationId === place.child('operationId').string());
            if (operation === undefined) return place.fail('is not in the operation table');
            return [
              method,
              {
                ...place.object(),
                description: linksInPage(operationText(operation, errors), links),
                responses: responsesOf(operation, place, root),
                'x-codeSamples': samplesOf(operation, root).map((sample) => ({ ...sample })),
              },
            ];
          }),
        ),
      ]),
  );
  // The contact address of the contract is a placeholder; a link that leads nowhere helps no reader.
  const { contact: _, ...infoWithoutContact } = root.child('info').object();
  return {
    ...document,
    servers,
    info: { ...infoWithoutContact, 'x-logo': { url: logo, altText: 'Vehicle Data Service' } },
    tags: [
      ...guides.map(({ title, name, text }) => ({
        name: title,
        'x-traitTag': true,
        description: linksInPage(guideText(name, text, links), links),
      })),
      ...tags.map((tag) => tag.object()),
    ],
    'x-tagGroups': [
      { name: 'Guides', tags: guides.map(({ title }) => title) },
      { name: 'Reference', tags: tags.map((tag) => tag.child('name').string()) },
    ],
    paths,
  };
}

// The interface leaves the base address open; these are what `npm start` listens on.
const servers = [
  { url: baseUrl, description: 'The proxy on your machine. In production, the address of your own proxy.' },
  {
    url: 'http://127.0.0.1:8788',
    description: 'The sandbox on your machine. In production, the address of your service.',
  },
];

/** A guide with a list of its sections below its first lines: Redoc unfolds the sections only when the guide is opened. */
function guideText(name: string, text: string, links: Readonly<Record<string, string>>): string {
  const firstHeading = text.search(/^## /m);
  if (firstHeading === -1) return text;
  const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title ?? '');
  const contents = titles.map((title) => `[${title}](#${links[`guide-${name}`]}/${slug(title)})`).join(' · ');
  return `${text.slice(0, firstHeading)}In this guide: ${contents}\n\n${text.slice(firstHeading)}`;
}

function operationText(operation: OperationSpec, errors: readonly ErrorEntry[]): string {
  const count = errorsOf(operation, errors).length;
  return [
    operation.description,
    `**Limits**\n\n${limitTable(operation)}`,
    `<details>\n<summary>Every error of this operation (${count})</summary>\n\n${operationErrorTable(operation, errors)}\n\n</details>`,
  ].join('\n\n');
}

/** The answers of an operation; the good one with a table of its values. */
function responsesOf(operation: OperationSpec, place: Place, root: Place): JsonObject {
  const fields = fieldTable(operation, root);
  const responses = place.child('responses');
  if (fields === '') return responses.object();
  const good = responses.child('200').resolved('responses').object();
  return { ...responses.object(), 200: { ...good, description: `${good['description']}\n\n${fields}` } };
}

/** A road with a signal above it, in colours that stand on light and dark ground. */
export const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3a56d4"/><path d="M6 22h20" stroke="#b9c6ff" stroke-width="2" stroke-linecap="round" stroke-dasharray="4 4"/><path d="M6 16c3 0 3-7 6-7s3 8 6 8 3-5 8-5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
