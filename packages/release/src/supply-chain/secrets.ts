import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../problem.ts';
import { runOrFail } from '../run.ts';

interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** Tells a secret from a placeholder of the same shape; the first group of the pattern, or all of it. */
  readonly counts?: (text: string) => boolean;
}

/** Shannon entropy in bits per character. Words and counters stay below 4, random text of 32 characters above it. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

const isRandom = (text: string) => entropy(text) > 4;

const patterns: readonly SecretPattern[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g },
  { name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/g },
  { name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'a registry credential', pattern: /_(?:authToken|password|auth)\s*=\s*([A-Za-z0-9+/=._-]{8,})/g },
  { name: 'an AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: 'a Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}\b/g },
  { name: 'a payment key', pattern: /\b[rs]k_live_[A-Za-z0-9]{20,}/g },
  {
    name: 'a signed token',
    pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/g,
    counts: isRandom,
  },
  {
    name: 'a credential',
    pattern: /(?:secret|password|passwd|token|api[_-]?key)["']?\s*[:=]\s*["']?([A-Za-z0-9+/_=-]{32,})/gi,
    counts: isRandom,
  },
];

/** A finding that was looked at and is no secret. It is known by its hash, so that the list repeats nothing. */
interface KnownTestValue {
  readonly file: string;
  readonly sha256: string;
  readonly reason: string;
}

export async function readKnownTestValues(): Promise<readonly KnownTestValue[]> {
  const text = await readFile(new URL('../../policy/known-test-values.json', import.meta.url), 'utf8');
  return JSON.parse(text) as KnownTestValue[];
}

/**
 * Looks for credentials in every file that git tracks or would track. A problem names file, line and kind, never the
 * text itself.
 */
export async function secretProblems(
  repository: string,
  known: readonly KnownTestValue[] = [],
): Promise<readonly Problem[]> {
  const list = await runOrFail('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
  });
  const problems: Problem[] = [];
  for (const file of new Set(list.split('\0').filter((name) => name !== ''))) {
    // A tracked file may be deleted in the work tree; a link may point to a folder.
    const text = await readFile(join(repository, file), 'utf8').catch(() => '');
    for (const { name, pattern, counts = () => true } of patterns) {
      for (const match of text.matchAll(pattern)) {
        if (!counts(match[1] ?? match[0])) continue;
        const sha256 = createHash('sha256').update(match[0]).digest('hex');
        if (known.some((value) => value.file === file && value.sha256 === sha256)) continue;
        const line = text.slice(0, match.index).split('\n').length;
        const remedy = `revoke it and take it out, or, if it opens nothing, add its sha256 ${sha256} to packages/release/policy/known-test-values.json`;
        problems.push({ place: `${file}:${line}`, message: `looks like ${name}: ${remedy}` });
      }
    }
  }
  return problems;
}
