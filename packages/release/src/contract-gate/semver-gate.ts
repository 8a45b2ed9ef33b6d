import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readChangesets } from '@changesets/read';
import { isMap, isNode, LineCounter, parse, parseDocument } from 'yaml';
import { redocly } from '../../../../openapi/build/bundle.ts';
import type { Locate } from '../../../../openapi/build/place.ts';
import { locateIn } from '../../../../openapi/build/source-files.ts';
import { workspacePackages } from '../workspace.ts';
import { type Difference, type Impact, impacts, rateDifference, type Side } from './rate-difference.ts';

const contractPackage = '@vehicle-data/openapi';
/** The bundle as it was last released, in the folder of the contract, written by `npm run version-packages`. */
const released = 'released/openapi.yaml';
const rules = fileURLToPath(new URL('rules.yaml', import.meta.url));

/** One change of the contract, rated. */
interface Change {
  readonly impact: Impact;
  readonly message: string;
  readonly side: Side | undefined;
}

function changeOf(difference: Difference): Change {
  const { path, kind, property, verdicts, base, revision } = difference;
  const [verdict] = verdicts;
  const place = `${path.replace(/^#\//, '').replaceAll('~1', '/')}${property === undefined ? '' : ` (${property})`}`;
  return {
    impact: rateDifference(difference),
    message: verdict ? `${verdict.message} (${verdict.ruleId})` : `${kind} ${place}`,
    side: verdict?.location ?? revision ?? base,
  };
}

type Errors = readonly Readonly<Record<string, unknown>>[];

/** The error catalogue of a bundle. */
function errorsIn(file: string): Errors {
  const bundle: { 'x-error-catalogue': Errors } = parse(readFileSync(file, 'utf8'));
  return bundle['x-error-catalogue'];
}

/** The members of an error that people read. What a client does depends on the others. */
const words = ['message', 'meaning', 'remedy', 'details'];

/** The changes of the error catalogue, which is in an extension and so escapes `redocly diff`. */
function changedErrors(before: Errors, after: Errors): readonly Change[] {
  const changeAt = (file: string, index: number, impact: Impact, message: string): Change => {
    return { impact, message, side: { file, pointer: `#/x-error-catalogue/${index}/code` } };
  };
  const removed = before.flatMap(({ code }, index) => {
    const isThere = after.some((error) => error['code'] === code);
    return isThere ? [] : [changeAt(released, index, 'major', `error code ${code} was removed`)];
  });
  const others = after.flatMap((error, index) => {
    const { code } = error;
    const old = before.find((entry) => entry['code'] === code);
    if (old === undefined) return [changeAt('openapi.yaml', index, 'minor', `error code ${code} is new`)];
    const changed = Object.keys({ ...old, ...error }).filter((key) => !isDeepStrictEqual(old[key], error[key]));
    return changed.map((member) => {
      const impact = words.includes(member) ? 'patch' : 'major';
      return changeAt('openapi.yaml', index, impact, `${member} of error code ${code} changed`);
    });
  });
  return [...removed, ...others];
}

/** A place of the bundle as `file#pointer`: a reference stands where it is made, not where it leads. */
function placeOf(locate: Locate, pointer: string): string {
  const whole = locate(pointer);
  const isReference = /\.yaml$/.test(whole) && !/^\/components\/[^/]+\/[^/]+$/.test(pointer);
  if (!isReference) return whole;
  const [, above = '', last = ''] = /^(.*)(\/.*)$/.exec(pointer) ?? [];
  const parent = locate(above);
  return `${parent}${parent.includes('#') ? '' : '#'}${last}`;
}

/** `file:line` of a place that is written `file#pointer`. */
function lineOf(repository: string, place: string): string {
  const [file = '', pointer = ''] = place.split('#');
  const lineCounter = new LineCounter();
  const document = parseDocument(readFileSync(join(repository, file), 'utf8'), { lineCounter });
  const keys = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const parent = document.getIn(keys.slice(1, -1), true);
  // A member of an object begins with its name.
  const member = isMap(parent) && parent.items.find(({ key }) => String(key) === keys.at(-1))?.key;
  const node = member || document.getIn(keys.slice(1), true);
  return `${file}:${lineCounter.linePos((isNode(node) && node.range?.[0]) || 0).line}`;
}

/**
 * Every change between the released bundle and the contract in a folder, rated, with the line that caused it as `file:line`: in the
 * contract, or in the released bundle when something was removed.
 */
async function contractChanges(folder: string) {
  const temporary = await mkdtemp(join(tmpdir(), 'contract-bundle-'));
  try {
    const current = join(temporary, 'openapi.yaml');
    await redocly(folder, 'bundle', 'openapi.yaml', '--output', current);
    const flags = ['--config', rules, '--format', 'json', '--fail-on', 'none'];
    const report: { changes: readonly Difference[] } = JSON.parse(
      await redocly(folder, 'diff', released, current, ...flags),
    );
    const errors = changedErrors(errorsIn(join(folder, released)), errorsIn(current));
    const locate = locateIn(folder);
    return [...report.changes.map(changeOf), ...errors].map(({ side, ...change }) => {
      const pointer = side?.pointer ?? '#';
      const place = side?.file === released ? `openapi/${released}${pointer}` : placeOf(locate, pointer.slice(1));
      return { ...change, place: lineOf(join(folder, '..'), place) };
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const rank = (impact: Impact) => impacts.indexOf(impact);
const biggest = (all: readonly Impact[]): Impact => impacts[Math.max(0, ...all.map(rank))] ?? 'none';

/**
 * Holds the pending changesets against what changed in the contract since its last release. A breaking change needs a
 * major changeset, a new member a minor one, any other change a patch. A changeset may name packages of the workspace only.
 */
export async function contractSemverGate(repository: string) {
  const changesets = await readChangesets(repository);
  const releases = changesets.flatMap(({ id, releases }) => releases.map(({ name, type }) => ({ id, name, type })));
  const declared = biggest(releases.filter(({ name }) => name === contractPackage).map(({ type }) => type));
  const packages = new Set((await workspacePackages(repository)).map(({ manifest }) => manifest.name));
  const misnamed = releases.filter(({ name }) => !packages.has(name));
  const problems = misnamed.map(({ id, name }) => `.changeset/${id}.md: ${name} is not in the workspace`);
  // Until the first release there is nothing to compare with.
  if (!existsSync(join(repository, 'openapi', released)))
    return { compared: false, required: 'none', declared, problems };
  const changes = await contractChanges(join(repository, 'openapi'));
  const undeclared = changes.filter(({ impact }) => rank(declared) < rank(impact));
  const found = `for ${contractPackage}, found ${declared} (changeset add)`;
  // Lines such as `openapi/paths/v1_vehicles_consent.yaml:12: …`: where, what is wrong, and what fixes it.
  problems.push(...undeclared.map((one) => `${one.place}: ${one.message}: needs a ${one.impact} changeset ${found}`));
  return { compared: true, required: biggest(changes.map(({ impact }) => impact)), declared, problems };
}
