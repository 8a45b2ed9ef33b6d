import type { ErrorEntry } from '@vehicle-data/openapi';

/** The facts of each error code that decide what the client does; messages and remedies stay in the reference. */
export function errorTable(catalogue: readonly ErrorEntry[]): string {
  const groups = new Map<string, string[]>();
  for (const { code, resolution, temporary, mayHaveTakenEffect } of catalogue) {
    const facts = `['${resolution}', ${temporary}, ${mayHaveTakenEffect}`;
    groups.set(facts, [...(groups.get(facts) ?? []), code]);
  }
  const resolutions = [...new Set(catalogue.map(({ resolution }) => resolution))];
  return `/** What a caller does next after an error. */
export type Resolution = ${resolutions.map((resolution) => `'${resolution}'`).join(' | ')};

/** The error codes of the catalogue. Services may send others. */
export type ErrorCode =
${catalogue.map(({ code, meaning }) => `  /** ${meaning} */\n  | '${code}'`).join('\n')};

/** Facts and the codes that share them: resolution, is temporary, a DELETE may have taken effect all the same, codes. */
export const errorFacts: readonly (readonly [Resolution, boolean, boolean, string])[] = [
${[...groups].map(([facts, codes]) => `  ${facts}, '${codes.join(' ')}'],`).join('\n')}
];
`;
}
