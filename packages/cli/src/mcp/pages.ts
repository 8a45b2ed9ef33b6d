// Long lists in pages. A cursor is opaque to an agent, and belongs to the question that it came with.
import { createHash } from 'node:crypto';
import { usageError } from '../cli-error.js';

const hashOf = (question: unknown) =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);

/**
 * A page of a list.
 *
 * @param question What the list depends on.
 * @param cursor `nextCursor` of the page before. Default: the first page.
 * @returns where the page starts, its items, and the cursor of the next page, if there is one
 * @throws CliError `usage` where the cursor is not one of this question
 */
export function pageOf<Item>(items: readonly Item[], size: number, question: unknown, cursor: string | undefined) {
  const [, start = '0', hash] = /^(\d{1,9})\.([\w-]{12})$/.exec(cursor ?? `0.${hashOf(question)}`) ?? [];
  if (hash !== hashOf(question)) throw usageError('the cursor is not one of this question; ask without a cursor first');
  const first = Number(start);
  const end = first + size;
  return {
    first,
    page: items.slice(first, end),
    ...(end < items.length ? { nextCursor: `${end}.${hashOf(question)}` } : {}),
  };
}
