import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../problem.ts';
import { publishedPackages, readManifest, type WorkspacePackage } from '../workspace.ts';

/** What a user of a published package gets with it. */
interface RuntimeDependency {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Of its unpacked files. */
  readonly kilobytes: number;
}

type RuntimeReport = Readonly<Record<string, readonly RuntimeDependency[]>>;

/** Licences that put no duty on users of our packages but to keep a notice. */
const allowedLicences = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']);

/** The most that a package may bring along, third-party packages only. A package without an entry may bring nothing. */
const budgets: Readonly<Record<string, { readonly packages: number; readonly kilobytes: number }>> = {
  // openapi-fetch and the types it is written in.
  '@vehicle-data/client': { packages: 2, kilobytes: 400 },
  '@vehicle-data/proxy': { packages: 20, kilobytes: 8000 },
  '@vehicle-data/sandbox': { packages: 4, kilobytes: 2000 },
};

const reportName = 'packages/release/policy/runtime-dependencies.json';
export const runtimeReportFile = new URL('../../policy/runtime-dependencies.json', import.meta.url);

const isOurs = (name: string) => name.startsWith('@vehicle-data/');

async function folderOf(name: string, from: string): Promise<string> {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    const found = await realpath(candidate).catch(() => undefined);
    if (found !== undefined) return found;
    if (at === dirname(at)) throw new Error(`${name}, needed by ${from}, is not installed; run "npm run setup"`);
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

async function collect(folder: string, found: Map<string, RuntimeDependency>): Promise<void> {
  const { dependencies = {}, optionalDependencies = {} } = await readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const at = await folderOf(name, folder);
    const { version, license = 'unknown' } = await readManifest(at);
    const id = `${name}@${version}`;
    if (found.has(id)) continue;
    const ours = isOurs(name);
    const kilobytes = ours ? 0 : Math.ceil((await bytesIn(at)) / 1000);
    found.set(id, { name, version: ours ? 'workspace' : version, licence: license, kilobytes });
    await collect(at, found);
  }
}

/** Everything each published package needs at run time, followed to the end of the tree. */
export async function runtimeReport(packages: readonly WorkspacePackage[]): Promise<RuntimeReport> {
  const report: Record<string, readonly RuntimeDependency[]> = {};
  for (const { manifest, folder } of packages) {
    const found = new Map<string, RuntimeDependency>();
    await collect(folder, found);
    report[manifest.name] = [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
  return report;
}

export function renderRuntimeReport(report: RuntimeReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Licences, count and size of what a report's packages bring along. */
export function runtimeProblems(report: RuntimeReport): readonly Problem[] {
  return Object.entries(report).flatMap(([name, dependencies]) => {
    const problems: Problem[] = [];
    const problem = (message: string) => problems.push({ place: name, message });
    for (const dependency of dependencies) {
      const choices = dependency.licence.replaceAll(/[()]/g, '').split(' OR ');
      if (!choices.some((licence) => allowedLicences.has(licence))) {
        problem(`brings ${dependency.name}@${dependency.version} under ${dependency.licence}`);
      }
    }
    const foreign = dependencies.filter((dependency) => !isOurs(dependency.name));
    const budget = budgets[name] ?? { packages: 0, kilobytes: 0 };
    const kilobytes = foreign.reduce((sum, dependency) => sum + dependency.kilobytes, 0);
    if (foreign.length > budget.packages || kilobytes > budget.kilobytes) {
      const names = foreign.map((dependency) => dependency.name).join(', ');
      problem(
        `brings ${foreign.length} packages of ${kilobytes} kB (${names}); allowed are ${budget.packages} of ${budget.kilobytes} kB`,
      );
    }
    return problems;
  });
}

/** Compares the committed report with what is installed, so that a new dependency shows in the review. */
export async function runtimeDependencyProblems(repository: string): Promise<readonly Problem[]> {
  const report = await runtimeReport(await publishedPackages(repository));
  const committed = await readFile(runtimeReportFile, 'utf8').catch(() => '');
  const drift = { place: reportName, message: 'is not what is installed; run "npm run update-reports" and review it' };
  const same = JSON.stringify(JSON.parse(committed || '{}')) === JSON.stringify(report);
  return [...runtimeProblems(report), ...(same ? [] : [drift])];
}
