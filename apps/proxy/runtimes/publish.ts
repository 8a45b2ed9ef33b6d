import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { FaultDifference } from './faults.ts';
import { type RuntimeName, runtimeNames } from './start-runtime.ts';

/** Scenarios that the program on Node rejects and a platform's own parser accepts, changed or not. */
export interface Lenience {
  readonly runtimes: readonly RuntimeName[];
  /** File of the story. */
  readonly file: string;
  readonly cases: readonly string[];
  readonly reason: string;
}

/** A scenario that a runtime plays otherwise than the program on Node. */
export interface Difference {
  readonly runtime: RuntimeName;
  readonly file: string;
  /** The case. */
  readonly name: string;
  readonly what: string;
  readonly kind: 'lenient' | 'rejected by the runtime' | 'other words' | 'unexpected';
}

/**
 * Writes a page, or compares the part that matters with the page that is there: which of two errors comes first is a matter of
 * timing on some platforms, what is accepted is not. Returns whether the page is right now.
 */
function publish(name: string, text: string, update: boolean, partOf: (page: string) => string): boolean {
  const file = new URL(name, import.meta.url);
  if (update) writeFileSync(file, text);
  // The formatter pads tables with blanks and dashes.
  const comparable = (page: string) => partOf(page).replace(/[-\s]+/g, ' ');
  return existsSync(file) && comparable(readFileSync(file, 'utf8')) === comparable(text);
}

/** Sorted lines, each with the runtimes of which it holds. */
function byRuntime(rows: readonly (readonly [line: string, runtime: RuntimeName])[]): string[][] {
  const found = new Map<string, Set<RuntimeName>>();
  for (const [line, runtime] of rows) found.set(line, (found.get(line) ?? new Set()).add(runtime));
  const names = (runtimes: ReadonlySet<RuntimeName>) => runtimeNames.filter((name) => runtimes.has(name)).join(', ');
  return [...found].map(([line, runtimes]) => [line, names(runtimes)]).sort();
}

const rejectedTitle = '## Rejected by the runtime itself';

export function publishDifferences(
  leniences: readonly Lenience[],
  found: readonly Difference[],
  update: boolean,
): boolean {
  const lenient = leniences.map(
    ({ runtimes, file, cases, reason }) => `| ${runtimes.join(', ')} | ${file} | ${cases.join(' · ')} | ${reason} |`,
  );
  const listOf = (kind: Difference['kind']) => {
    const rows = found.filter((each) => each.kind === kind);
    return byRuntime(rows.map(({ file, name, runtime }) => [`${file}: ${name}`, runtime]))
      .map(([line, runtimes]) => `- ${line} (${runtimes})`)
      .join('\n');
  };
  const text = `# Where a runtime's own HTTP parser decides

Written by \`node apps/proxy/runtimes/run.ts --update\`. On Node, the program's server reads requests. On Workers, Deno and Bun the platform
reads them. In every scenario, on every runtime, only the request that the scenario states reaches the upstream, built from checked values.

## Accepted where the program on Node rejects

| runtime | story | scenarios | reason |
| --- | --- | --- | --- |
${lenient.join('\n')}

${rejectedTitle}

The same error response, but without the envelope or the request identifier, or by closing the connection: the platform's parser responds before
the proxy does. What happens on a connection after an error response is decided by the platform.

${listOf('rejected by the runtime')}

## Rejected or responded to in other words

Lines of one name come joined by commas, so a repeated header is a wrong value here. Targets come resolved, methods with their own rules.

${listOf('other words')}
`;
  return publish('differences.md', text, update, (page) => page.slice(0, page.indexOf(rejectedTitle)));
}

export function publishFaultDifferences(found: readonly FaultDifference[], update: boolean): boolean {
  const rows = found.map(
    ({ runtime, name, expected, got }) => [`| ${name} | ${expected} | ${got} |`, runtime] as const,
  );
  const text = `# Where a runtime ends a fault of the upstream otherwise

Written by \`node apps/proxy/runtimes/run.ts --update\`. The list of faults of \`apps/proxy/test/faults.yaml\` is played against every runtime. With
sockets, the proxy reads responses itself. With \`fetch\`, the platform reads them and is more lenient. On every runtime each client gets a
response or a cut within the deadline, a \`DELETE\` is sent once, a cut response is never passed off as whole, and the next client is served.

| fault | program on Node | here | runtimes |
| --- | --- | --- | --- |
${byRuntime(rows)
  .map(([row, runtimes]) => `${row} ${runtimes} |`)
  .join('\n')}
`;
  const accepted = (page: string) => page.split('\n').filter((line) => /\| 200 whole +\| [a-z]/.test(line));
  return publish('fault-differences.md', text, update, (page) => accepted(page).join('\n'));
}
