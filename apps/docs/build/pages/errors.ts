import { serviceError } from '@vehicle-data/client/testing';
import { type ErrorEntry, errorCatalogue, type OperationSpec } from '@vehicle-data/openapi';
import { errorExample } from '../contract.ts';
import { fenced, type Page, readableJson, table } from '../markdown.ts';

const origins = {
  interface: 'Code specified by the API, status seen on live services',
  observed: 'Seen on live services, not promised',
  proxy: 'Returned by the proxy',
} as const;

/** The errors that an operation can return. */
export function errorsOf({ operationId }: OperationSpec): readonly ErrorEntry[] {
  return errorCatalogue.filter(({ operations }: ErrorEntry) => operations.includes(operationId));
}

export function errorTable(errors: readonly ErrorEntry[]): string {
  const rows = errors.map(({ code, status, meaning, resolution }) => {
    return [`[\`${code}\`](../errors/${code}.md)`, `${status}`, meaning, `\`${resolution}\``];
  });
  return table(['Code', 'HTTP', 'Meaning', 'Next step'], rows);
}

/** What a reader does about an error, by the next step of a program. */
const groupsOfErrors = {
  'Yours to fix': ['fix-request', 'fix-credentials', 'refresh-token'],
  'Try later': ['retry', 'no-data'],
  'Ask the owner for consent': ['ask-consent'],
} as const satisfies Readonly<Record<string, readonly ErrorEntry['resolution'][]>>;

/** The errors of an operation by what to do about them, a row each; the page of a code has the rest. */
export function errorGroups(errors: readonly ErrorEntry[]): string {
  const rows = Object.entries(groupsOfErrors).map(([group, steps]) => {
    const own = errors.filter(({ resolution }) => steps.some((step) => step === resolution));
    return [
      `**${group}**`,
      // A code made of words says what it means.
      own
        .map(({ code, message }) => `[\`${code}\`](../errors/${code}.md)${/^\d+$/.test(code) ? ` ${message}` : ''}`)
        .join(' · '),
    ];
  });
  return table(['What to do', 'Errors'], rows);
}

/** The page of a code that the API or the proxy sends: cause, fix, who should see it, and where it can occur. */
export function errorPage(entry: ErrorEntry, operations: readonly OperationSpec[]): Page {
  const { code, message, status, origin, meaning, remedy, resolution, temporary, mayHaveTakenEffect, audience } = entry;
  const from = operations.filter(({ operationId }) => entry.operations.includes(operationId));
  const links = from.map(({ operationId, summary }) => `[${summary}](../operations/${operationId}.md)`);
  const example = errorExample(code);
  return {
    path: `errors/${code}`,
    title: `${code} · ${message}`,
    description: meaning,
    keywords: [code, `error ${code}`],
    text: [
      `HTTP ${status} · ${origins[origin]} · ${temporary ? 'temporary' : 'not temporary'}`,
      `## Cause\n\n${meaning}`,
      `## Fix\n\n${remedy}`,
      [
        `- **Next step for a program:** [\`${resolution}\`](../guides/errors.md#next-steps)`,
        `- **The SDK throws:** \`${serviceError(code).name}\``,
        `- **Show it to:** the ${audience}`,
        `- **After a \`DELETE\`:** sharing ${mayHaveTakenEffect ? '**may have stopped** all the same; list the vehicles to find out' : 'has not stopped'}`,
      ].join('\n'),
      // Without details, only code and message differ from the example in the guide.
      !/"details":\[\]/.test(JSON.stringify(example)) && `## Response\n\n${fenced('json', readableJson(example))}`,
      links.length > 0 && links.length < operations.length && `## Operations\n\n${links.join(' · ')}`,
      origin !== 'proxy' &&
        `## Try it\n\nThe [sandbox](../guides/sandbox.md) returns this error for the VIN \`SANDB0XAERR${code.padStart(6, '0')}\`.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** The pages of the codes that the SDK finds itself, from their table in its guide. */
export function clientErrorPages({ text }: Page): readonly Page[] {
  const [, rows = ''] = /^\| Code +\| Class +\| Cause .*\n.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...rows.matchAll(/^\| `([a-z-]+)` +\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, code = '', type, cause = '', fix]) => ({
      path: `errors/${code}`,
      title: `${code} · ${type}`,
      description: cause,
      keywords: [code, `error ${code}`],
      text: `The [SDK](../guides/sdk-errors.md#errors) throws this error as \`${type}\`.\n\n## Cause\n\n${cause}\n\n## Fix\n\n${fix}`,
    }),
  );
}
