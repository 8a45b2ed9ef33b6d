import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { contract } from '../contract.ts';
import type { Page } from '../markdown.ts';

const file = fileURLToPath(new URL('reference.md', import.meta.resolve('@vehicle-data/client')));
/** The parameters of methods are listed beside the methods. */
const isType = (entry: string) =>
  /^export (?:declare )?(?:type|interface) /m.test(entry) && !/^\w+(?:Parameters|TripRange)\n/.test(entry);

/** What clients pass, by how it is named. */
const isOption = (entry: string) =>
  /^\w*(?:Options|Settings|Parameters|Init|Hooks?|Store|Provider|Policy)\n/.test(entry);

const schemas = contract.child('components').child('schemas');
const schemaNames = new Set(schemas.entries().map(([name]) => name));

/** What the API sends and receives, under the names of the contract. */
const isSchema = (entry: string) => schemaNames.has(/^\w+/.exec(entry)?.[0] ?? '');

/** The reference that the client's build makes of its declarations: a page for each entry point, and for the first one options, types and schemas. */
export async function sdkPages(): Promise<readonly Page[]> {
  const [, ...sections] = (await readFile(file, 'utf8')).split(/^## /m);
  return sections.flatMap((section) => {
    const [specifier = '', ...entries] = section.split(/^### /m).map((text) => text.trim());
    const [, , entryPoint] = specifier.split('/');
    if (entryPoint !== undefined) return [sdkPage(entryPoint, specifier, entries)];
    // `paths` and the like are the contract once more, in a form for openapi-fetch.
    const named = entries.filter((entry) => !/^(?:components|operations|paths)\n/.test(entry));
    const values = named.filter((entry) => !isType(entry));
    const types = named.filter(isType);
    return [
      sdkPage('client', specifier, values),
      sdkPage('options', `options of ${specifier}`, types.filter(isOption)),
      sdkPage(
        'types',
        `types of ${specifier}`,
        types.filter((entry) => !isOption(entry) && !isSchema(entry)),
      ),
      sdkPage(
        'schemas',
        `schemas of ${specifier}`,
        types.filter((entry) => !isOption(entry) && isSchema(entry)),
      ),
    ];
  });
}

function sdkPage(name: string, title: string, entries: readonly string[]): Page {
  const language = ['types', 'options', 'schemas'].includes(name) ? 'text' : 'ts'; // Colors would double the weight of the longest page.
  const text = entries.map(
    (entry) => `## ${entry.replaceAll(/^####/gm, '###').replaceAll('ts declaration', language)}`,
  );
  return {
    path: `sdk/${name}`,
    title: `SDK: ${title}`,
    description: `Reference of ${title}.`,
    keywords: ['api reference', 'methods', 'types'],
    text: ['Made from the declarations. The [SDK guide](../guides/sdk.md) shows how to use them.', ...text].join(
      '\n\n',
    ),
  };
}
