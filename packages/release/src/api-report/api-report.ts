import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../problem.ts';
import type { WorkspacePackage } from '../workspace.ts';

const reportFolder = fileURLToPath(new URL('../../api', import.meta.url));

/** Package name → its report. */
export type ApiReports = ReadonlyMap<string, string>;

const fileName = (name: string) => `${name.replace('@vehicle-data/', '')}.d.ts`;

/**
 * Declarations without comments, map references, empty lines and prose in literal types: what remains changes only when
 * a type does.
 */
export function typesAlone(declarations: string): string {
  const stringOrComment = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return declarations
    .replace(stringOrComment, (_, text: string | undefined) =>
      text === undefined ? '' : text.length > 40 && text.includes(' ') ? '"…"' : text,
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

function entryFiles(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return /\.d\.ts$/.test(exports) ? [exports] : [];
  if (typeof exports !== 'object' || exports === null) return [];
  return Object.values(exports).flatMap(entryFiles);
}

/** Every declaration file that an entry point leads to, by its path in the package. */
async function reachable({ manifest, folder, path }: WorkspacePackage): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const visit = async (file: string): Promise<void> => {
    if (files.has(file)) return;
    const text = await readFile(join(folder, file), 'utf8').catch(() => {
      throw new Error(`${path}/${file} is missing; run "npm run build" first`);
    });
    files.set(file, typesAlone(text).replaceAll(`"${manifest.version}"`, '"<version>"'));
    for (const match of text.matchAll(/(?:from\s*|import\s*\(?\s*)["'](\.[^"']+)\.js["']/g)) {
      await visit(posix.join(posix.dirname(file), `${match[1]}.d.ts`));
    }
  };
  for (const entry of entryFiles(manifest.exports)) await visit(posix.normalize(entry));
  return files;
}

/** The public types of every package, read from its built declarations. A file that several packages hold stands once. */
export async function apiReports(packages: readonly WorkspacePackage[]): Promise<ApiReports> {
  const reports = new Map<string, string>();
  const seen = new Map<string, string>();
  const contractFirst = packages.toSorted((a, b) => Number(b.path === 'openapi') - Number(a.path === 'openapi'));
  for (const workspacePackage of contractFirst) {
    const { name } = workspacePackage.manifest;
    const parts = [
      '// Written by "npm run update-reports" from the built declarations. A change here is a change for users.',
    ];
    for (const [file, text] of await reachable(workspacePackage)) {
      const first = text.length > 2000 ? seen.get(text) : undefined;
      if (first === undefined) seen.set(text, `${name}/${file}`);
      parts.push(`\n// ${file}`, first === undefined ? text : `// The same as ${first}.`);
    }
    reports.set(name, `${parts.join('\n')}\n`);
  }
  return reports;
}

export async function writeApiReports(reports: ApiReports): Promise<void> {
  await mkdir(reportFolder, { recursive: true });
  for (const [name, text] of reports) await writeFile(join(reportFolder, fileName(name)), text);
}

/** Compares the reports under review with the types as built. */
export async function apiReportProblems(reports: ApiReports, folder = reportFolder): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [name, text] of reports) {
    const committed = (await readFile(join(folder, fileName(name)), 'utf8').catch(() => '')).split('\n');
    const built = text.split('\n');
    const line = built.findIndex((content, index) => content !== committed[index]);
    if (line < 0 && committed.length === built.length) continue;
    const place = `packages/release/api/${fileName(name)}:${(line < 0 ? built.length : line) + 1}`;
    const message = `the public types of ${name} have changed; run "npm run update-reports", review the difference, and add a changeset`;
    problems.push({ place, message });
  }
  return problems;
}
