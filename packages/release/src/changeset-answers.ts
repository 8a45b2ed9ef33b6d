import type { Impact } from './contract-gate/change.ts';

/** What the author of a change says about it. */
export interface ChangesetAnswers {
  readonly packages: readonly string[];
  /** Whether something that worked before stops working, or works otherwise. */
  readonly breaks: boolean;
  /** Whether users can do something that they could not do before. */
  readonly adds: boolean;
  /** What changes for a user, in a sentence or two. */
  readonly text: string;
}

type Release = Exclude<Impact, 'none'>;

function releaseOf({ breaks, adds }: ChangesetAnswers): Release {
  if (breaks) return 'major';
  return adds ? 'minor' : 'patch';
}

/** A file name that says what the change is, from the first words of its text. */
function nameOf(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 6).join('-') || 'change';
}

/** The changeset file for the answers. Throws when they leave something open. */
export function changesetFile(answers: ChangesetAnswers): { readonly name: string; readonly content: string } {
  const text = answers.text.trim();
  if (answers.packages.length === 0) throw new Error('a changeset names at least one package');
  if (text.length < 10) throw new Error('a changeset says what changes for a user');
  const lines = answers.packages.map((name) => `'${name}': ${releaseOf(answers)}`);
  return { name: `${nameOf(text)}.md`, content: `---\n${lines.join('\n')}\n---\n\n${text}\n` };
}

/** The published packages below which a file has changed. Tests and benchmarks change nothing for users. */
export function touchedPackages(
  files: readonly string[],
  packages: readonly { readonly path: string; readonly manifest: { readonly name: string } }[],
): readonly string[] {
  const matters = files.filter((file) => !/\/(test|bench|fixtures)\//.test(file));
  return packages
    .filter(({ path }) => matters.some((file) => file.startsWith(`${path}/`)))
    .map(({ manifest }) => manifest.name);
}
