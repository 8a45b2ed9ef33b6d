import type { ErrorEntry } from '@vehicle-data/openapi';
import { stopBuild } from '@vehicle-data/openapi/model';

/** The facts of each error code that decide what the client does; messages and remedies stay in the reference. */
export function errorTable(catalogue: readonly ErrorEntry[]): string {
  const resolutions = [...new Set(catalogue.map(({ resolution }) => resolution))];
  for (const [index, { resolution, temporary }] of catalogue.entries()) {
    if (temporary !== (resolution === 'retry' || resolution === 'no-data')) {
      const rule = 'an error is temporary where its resolution is retry or no-data, and nowhere else';
      stopBuild(`/x-error-catalogue/${index}/temporary`, rule);
    }
  }
  const quoted = (entries: readonly ErrorEntry[]) => `[${entries.map(({ code }) => `'${code}'`).join(', ')}]`;
  const lists = resolutions.map(
    (name) => `  '${name}': ${quoted(catalogue.filter(({ resolution }) => resolution === name))},`,
  );
  return `/** What to do next after an error of the catalogue. */
export type CatalogueResolution = ${resolutions.map((resolution) => `'${resolution}'`).join(' | ')};

/** The error codes of the catalogue. Services may send others. */
export type ErrorCode =
${catalogue.map(({ code, meaning }) => `  /** ${meaning} */\n  | '${code}'`).join('\n')};

/** The codes of each resolution. */
export const codes: Readonly<Record<CatalogueResolution, readonly string[]>> = {
${lists.join('\n')}
};

/** The codes after which a DELETE may have taken effect. */
export const perhapsDone: readonly string[] = ${quoted(catalogue.filter(({ mayHaveTakenEffect }) => mayHaveTakenEffect))};
`;
}
