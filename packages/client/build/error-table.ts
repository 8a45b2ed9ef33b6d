import type { ErrorEntry } from '@vehicle-data/openapi';

/** The facts of each error code that decide what the client does; messages and remedies stay in the reference. */
export function errorTable(catalogue: readonly ErrorEntry[]): string {
  const resolutions = [...new Set(catalogue.map(({ resolution }) => resolution))];
  const names = new Map<string, string>();
  const groups: string[] = [];
  const codes = catalogue.map(({ code, resolution, temporary, mayHaveTakenEffect }) => {
    const facts = `{ resolution: '${resolution}', isTemporary: ${temporary}, mayHaveTakenEffect: ${mayHaveTakenEffect} }`;
    if (!names.has(facts)) {
      const suffix = mayHaveTakenEffect ? 'PerhapsDone' : '';
      names.set(facts, `${resolution.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`);
      groups.push(`const ${names.get(facts)}: CodeFacts = ${facts};`);
    }
    return `  ['${code}', ${names.get(facts)}],`;
  });
  return `/** What to do next after an error of the catalogue. */
export type CatalogueResolution = ${resolutions.map((resolution) => `'${resolution}'`).join(' | ')};

/** The error codes of the catalogue. Services may send others. */
export type ErrorCode =
${catalogue.map(({ code, meaning }) => `  /** ${meaning} */\n  | '${code}'`).join('\n')};

/** What the catalogue says about an error code. */
export interface CodeFacts {
  readonly resolution: CatalogueResolution;
  readonly isTemporary: boolean;
  /** Whether a DELETE with this error may have taken effect. */
  readonly mayHaveTakenEffect: boolean;
}

${groups.join('\n')}

export const codeFacts: ReadonlyMap<string, CodeFacts> = new Map([
${codes.join('\n')}
]);
`;
}
