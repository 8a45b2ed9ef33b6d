import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { leniences, type RuntimeName } from './exceptions.ts';

/** A scenario that a runtime plays otherwise than Node. */
export interface Deviation {
  readonly runtime: RuntimeName;
  readonly file: string;
  /** The case. */
  readonly name: string;
  readonly what: string;
  readonly kind: 'lenient' | 'refused by the runtime' | 'other words' | 'unexpected';
  readonly reason: string;
}

const file = new URL('deviations.md', import.meta.url);

const afterLeniences = '## Refused by the runtime itself';

/**
 * Writes the page of deviations, or compares its table of leniences with the one that stands: which of two error responses comes first is a
 * matter of timing on some platforms, what is let through is not. Returns whether the page is right now.
 */
export function publishDeviations(found: readonly Deviation[], update: boolean): boolean {
  const text = pageOf(found);
  if (update) writeFileSync(file, text);
  // The formatter pads tables with blanks and dashes.
  const leniencesOf = (page: string) => page.slice(0, page.indexOf(afterLeniences)).replace(/[-\s]+/g, ' ');
  return existsSync(file) && leniencesOf(readFileSync(file, 'utf8')) === leniencesOf(text);
}

function pageOf(found: readonly Deviation[]): string {
  const lenient = leniences.map(
    ({ runtimes, file: story, cases, reason }) =>
      `| ${runtimes.join(', ')} | ${story} | ${cases.join(' · ')} | ${reason} |`,
  );
  return `# Where a runtime's own HTTP parser decides

Written by \`node apps/proxy/runtimes/run.ts --update\`. On Node the proxy reads requests itself, byte by byte. On Workers, Deno and Bun the platform
reads them, and our code sees what is left. In every scenario, on every runtime, nothing reaches the service but the request that the
scenario states, built from checked values; the pages below say where the way there differs.

## Let through where Node's door refuses

| runtime | story | scenarios | reason |
| --- | --- | --- | --- |
${lenient.join('\n')}

${afterLeniences}

The same error response, but without the envelope or the request identifier, or by closing the connection: the platform's parser answers before
our code is asked, and how a connection goes on after an error response is the platform's matter.

${listOf(found, 'refused by the runtime')}

## Refused or answered in other words

Lines of one name come joined by commas, so a repeated header is a wrong value here. Targets come resolved, methods with their own rules.

${listOf(found, 'other words')}
`;
}

function listOf(found: readonly Deviation[], kind: Deviation['kind']): string {
  const byCase = new Map<string, Set<string>>();
  for (const { runtime, file: story, name } of found.filter((each) => each.kind === kind)) {
    const key = `${story}: ${name}`;
    byCase.set(key, (byCase.get(key) ?? new Set()).add(runtime));
  }
  return [...byCase]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, runtimes]) => `- ${key} (${[...runtimes].sort().join(', ')})`)
    .join('\n');
}
