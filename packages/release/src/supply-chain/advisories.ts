import { readFile } from 'node:fs/promises';
import { satisfies } from 'semver';
import type { Problem } from '../problem.ts';
import type { LockedPackage } from './lockfile.ts';

/** One published advisory and the versions it covers, as a semver range. */
interface Advisory {
  readonly package: string;
  readonly affected: string;
  readonly id: string;
  readonly title: string;
}

interface AdvisoryList {
  /** The day on which the list was last read against the public databases, yyyy-MM-dd. */
  readonly asOf: string;
  readonly advisories: readonly Advisory[];
}

const place = 'packages/release/policy/advisories.json';

/** A release asks for a list that was read within this many days. */
const maxAgeDays = 30;

export async function readAdvisories(): Promise<AdvisoryList> {
  const text = await readFile(new URL('../../policy/advisories.json', import.meta.url), 'utf8');
  return JSON.parse(text) as AdvisoryList;
}

/** Every pinned package that a known advisory covers. */
export function advisoryProblems(packages: readonly LockedPackage[], list: AdvisoryList): readonly Problem[] {
  return packages.flatMap(({ name, version }) =>
    list.advisories
      .filter((advisory) => advisory.package === name && satisfies(version, advisory.affected))
      .map(({ id, title, affected }) => ({
        place: 'pnpm-lock.yaml',
        message: `${name}@${version} is covered by ${id} (${affected}): ${title}`,
      })),
  );
}

/** A list of advisories that is too old to release by. Asked before a release only: an old commit must stay testable. */
export function advisoryAgeProblems(list: AdvisoryList, today: Date): readonly Problem[] {
  const days = Math.floor((today.getTime() - Date.parse(`${list.asOf}T00:00:00Z`)) / 86_400_000);
  if (days >= 0 && days <= maxAgeDays) return [];
  return [{ place, message: `was last read ${days} days ago (${list.asOf}); read it again and set asOf` }];
}
