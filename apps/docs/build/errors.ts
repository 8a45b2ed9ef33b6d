import type { ErrorEntry, OperationSpec } from '@vehicle-data/openapi';
import { fenced, readableJson, table } from './markdown.ts';
import { errorsOf } from './operations.ts';
import type { Page } from './page.ts';

const origins = {
  interface: 'Stated by the API',
  observed: 'Seen on live services, not promised',
  proxy: 'Returned by the proxy',
} as const;

const readers = {
  developer: 'the developer of the application',
  operator: 'the operator of the proxy or service',
  owner: 'the owner of the vehicle',
} as const;

/** Every code in one table. */
export function errorTable(errors: readonly ErrorEntry[]): string {
  return table(
    ['Code', 'HTTP', 'Message', 'Next step'],
    errors.map(({ code, status, message, resolution }) => [
      `[\`${code}\`](../errors/${code}.md)`,
      String(status),
      message,
      `\`${resolution}\``,
    ]),
  );
}

/** The page of one error code: cause, fix, who should see it, and where it can occur. */
export function errorPage(entry: ErrorEntry, all: readonly ErrorEntry[], operations: readonly OperationSpec[]): Page {
  const { code, message, status, origin, meaning, remedy, resolution, temporary, mayHaveTakenEffect, audience } = entry;
  const from = operations.filter((operation) => errorsOf(operation, all).includes(entry));
  const links = from.map(({ operationId, summary }) => `[${summary}](../operations/${operationId}.md)`);
  const body = {
    error: {
      code,
      message,
      details: [],
      timestamp: '2026-03-09T07:00:00.000Z',
      requestId: '5f0c4d0a-4a53-4a1f-9a55-0f8a4e7c2b91',
    },
  };
  const vin = `SANDB0XAERR${code.padStart(6, '0')}`;
  return {
    path: `errors/${code}`,
    title: `${code} · ${message}`,
    description: meaning,
    keywords: [`error ${code}`],
    text: [
      `HTTP ${status} · ${origins[origin]} · ${temporary ? 'temporary' : 'not temporary'}`,
      `## Cause\n\n${meaning}`,
      `## Fix\n\n${remedy}`,
      `- **Next step for a program:** [\`${resolution}\`](../guides/errors.md#next-steps)`,
      `- **Show it to:** ${readers[audience]}`,
      `- **After a \`DELETE\`:** sharing ${mayHaveTakenEffect ? '**may have stopped** all the same; list the vehicles to find out' : 'has not stopped'}`,
      `## Response\n\n${fenced('json', readableJson(body))}`,
      ...(links.length === 0 ? [] : [`## Operations\n\n${links.map((link) => `- ${link}`).join('\n')}`]),
      ...(origin === 'proxy'
        ? []
        : [
            `## Try it\n\nThe [sandbox](../guides/sandbox.md) returns this error for every call with the VIN \`${vin}\`.`,
          ]),
    ]
      .join('\n\n')
      .replaceAll('\n\n- **', '\n- **')
      .replace('\n- **', '\n\n- **'),
  };
}
