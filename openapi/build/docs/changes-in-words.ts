import type { Comparison, Difference } from '../contract-diff/compare.ts';
import type { Changes, PackageNotes } from './changes.ts';
import { table } from './tables.ts';

/** The notes of the next release, by package, as Markdown. */
export function unreleasedNotes({ next }: Changes): string {
  if (next.length === 0) return 'Nothing that a user notices.';
  return next.map(packageNotes).join('\n\n');
}

const packageNotes = ({ name, notes }: PackageNotes) => `**${name}**\n\n${notes.map((note) => `- ${note}`).join('\n')}`;

/** The changelogs of the packages. Versions and kinds of change are no sections of the page: its menu would be full of them. */
export function releasedNotes({ changelogs }: Changes): string {
  if (changelogs.length === 0) return 'No package has been released yet.';
  return changelogs.map((log) => log.trim().replaceAll(/^#{1,4} (.+)$/gm, '**$1**')).join('\n\n');
}

/** What differs between the contract and the last released one, and what that one changed. */
export function contractChanges({ contract, latestContract }: Changes): string {
  return [comparisonInWords(contract), ...(latestContract ? [pastInWords(latestContract)] : [])].join('\n\n');
}

function comparisonInWords(comparison: Comparison | undefined): string {
  if (comparison === undefined) return 'No version of the contract has been released yet.';
  const { since, differences } = comparison;
  if (differences.length === 0) return `Nothing has changed since ${since}, the last release.`;
  return `Since ${since}, the last release:\n\n${differenceTable(differences)}`;
}

function pastInWords({ since, differences }: Comparison): string {
  if (differences.length === 0) return `The last release changed nothing in ${since}, the one before it.`;
  return `In the last release, compared with ${since}:\n\n${differenceTable(differences)}`;
}

function differenceTable(differences: readonly Difference[]): string {
  return table(
    ['Place', 'Change', 'Weight'],
    differences.map((difference) => [`\`${placeOf(difference)}\``, changeOf(difference), difference.impact]),
  );
}

/** Where a difference is: operation, answer and member rather than a JSON Pointer. */
export function placeOf({ path }: Difference): string {
  const tokens = path
    .replace(/^#\/?/, '')
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (tokens[0] !== 'paths') return memberOf(tokens);
  const [, address = '', method, ...rest] = tokens;
  const operation = method === undefined ? address : `${method.toUpperCase()} ${address}`;
  const isAnswer = rest[0] === 'responses' && rest[1] !== undefined;
  const member = memberOf(rest.slice(isAnswer ? 2 : 0));
  return [operation, ...(isAnswer ? [`answer ${rest[1]}`] : []), ...(member === '' ? [] : [member])].join(' · ');
}

const silent = new Set(['content', 'application/json', 'schema']);

/** A path of schemas as programs write it: `data.trips[].engine.rpm[]`. */
function memberOf(tokens: readonly string[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const isName = tokens[index - 1] === 'properties';
    if (!isName && (token === 'properties' || silent.has(token))) continue;
    if (!isName && token === 'items') text += '[]';
    else text += `${text === '' ? '' : '.'}${token}`;
  }
  return text;
}

/** What a difference is: the member with both values where they are short. */
export function changeOf({ kind, property, before, after }: Difference): string {
  if (property === undefined) return kind;
  if (before !== undefined && after !== undefined) return `\`${property}\`: ${before} → ${after}`;
  return `\`${property}\` ${kind}`;
}
