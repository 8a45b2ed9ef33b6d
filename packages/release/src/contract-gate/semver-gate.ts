import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readChangesets } from '@changesets/read';
import { parse } from 'yaml';
import { bundleContract, redocly } from '../../../../openapi/build/bundle.ts';
import { workspacePackages } from '../workspace.ts';
import { type Difference, type Impact, impacts, rateDifference } from './rate-difference.ts';

const contractPackage = '@vehicle-data/openapi';
/** The bundle as it was last released, in the folder of the contract, written by `npm run version-packages`. */
const released = 'released/openapi.yaml';
const rules = fileURLToPath(new URL('rules.yaml', import.meta.url));

/** One change of the contract, rated, with the line that caused it as `file:line` of the contract's folder. */
interface Change {
  readonly impact: Impact;
  readonly message: string;
  readonly place: string;
}

function changeOf(difference: Difference): Change {
  const { path, kind, property, verdicts, base, revision } = difference;
  const [verdict] = verdicts;
  const side = verdict?.location ?? revision ?? base;
  const what = `${path.replace(/^#\//, '').replaceAll('~1', '/')}${property === undefined ? '' : ` (${property})`}`;
  const message = verdict ? `${verdict.message} (${verdict.ruleId})` : `${kind} ${what}`;
  return { impact: rateDifference(difference), message, place: `${side?.file}:${side?.line}` };
}

interface Bundle {
  readonly info: { readonly description: string };
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly 'x-error-catalogue': readonly Readonly<Record<string, unknown>>[];
}

/** The members of an error that people read. What a client does depends on the others. */
const words = ['message', 'meaning', 'remedy', 'details', 'x-source'];

/**
 * Every change between the released bundle and the contract in a folder: what `redocly diff` finds, and what escapes it, which are the
 * error catalogue, because it is an extension, and the names of components. Those of schemas are names of types.
 */
export async function contractChanges(folder: string): Promise<readonly Change[]> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const changeAt = (file: string, line: RegExp, impact: Impact, message: string): Change => {
    const above = read(file).split(line)[0] ?? '';
    return { impact, message, place: `${file}:${above.split('\n').length}` };
  };
  const flags = ['--config', rules, '--format', 'json', '--fail-on', 'none'];
  const [report, bundle] = await Promise.all([
    redocly(folder, 'diff', released, 'openapi.yaml', ...flags),
    bundleContract(folder),
  ]);
  const { changes }: { changes: readonly Difference[] } = JSON.parse(report);
  const before: Bundle = parse(read(released));
  const after = bundle as unknown as Bundle;
  // A bundle differs from the files in its form: its components are listed, and its description is the text of a guide.
  const isForm = ({ path, property }: Difference) =>
    /^#\/components\/\w+$|^#\/info\/description$/.test(path) || (path === '#/info' && property === 'description');
  return [
    ...changes.filter((change) => !isForm(change)).map(changeOf),
    ...(before.info.description === after.info.description
      ? []
      : [{ impact: 'patch' as const, message: 'modified info (description)', place: 'guides/introduction.md:1' }]),
    ...removedComponents(before, after).map(([section, name]) => {
      const line = new RegExp(`(?<=^  ${section}:\\n(?:(?: {3}.*)?\\n)*)    ${name}:$`, 'm');
      const impact = section === 'schemas' ? 'major' : 'patch';
      return changeAt(released, line, impact, `removed components/${section}/${name}`);
    }),
    ...changedErrors(before, after).map(([file, code, impact, message]) =>
      changeAt(file, new RegExp(`code: ["']?${code}["']?$`, 'm'), impact, message),
    ),
  ];
}

function removedComponents(before: Bundle, after: Bundle): readonly (readonly [section: string, name: string])[] {
  return Object.entries(before.components).flatMap(([section, named]) => {
    const gone = Object.keys(named).filter((name) => after.components[section]?.[name] === undefined);
    return gone.map((name) => [section, name] as const);
  });
}

type ErrorChange = readonly [file: string, code: unknown, impact: Impact, message: string];

function changedErrors(
  { 'x-error-catalogue': before }: Bundle,
  { 'x-error-catalogue': after }: Bundle,
): readonly ErrorChange[] {
  const removed = before
    .filter(({ code }) => !after.some((error) => error['code'] === code))
    .map(({ code }): ErrorChange => [released, code, 'major', `error code ${code} was removed`]);
  const others = after.flatMap((error): readonly ErrorChange[] => {
    const { code } = error;
    const old = before.find((entry) => entry['code'] === code);
    if (old === undefined) return [['errors.yaml', code, 'minor', `error code ${code} is new`]];
    const changed = Object.keys({ ...old, ...error }).filter((key) => !isDeepStrictEqual(old[key], error[key]));
    return changed.map((member) => {
      const impact = words.includes(member) ? 'patch' : 'major';
      return ['errors.yaml', code, impact, `${member} of error code ${code} changed`];
    });
  });
  return [...removed, ...others];
}

const rank = (impact: Impact) => impacts.indexOf(impact);
const biggest = (all: readonly Impact[]): Impact => impacts[Math.max(0, ...all.map(rank))] ?? 'none';

/**
 * Holds the pending changesets against what changed in the contract since its last release. A breaking change needs a
 * major changeset, a new member a minor one, any other change a patch. A changeset may name packages of the workspace only.
 *
 * @param changesIn finds what changed in the contract of a folder
 */
export async function contractSemverGate(repository: string, changesIn = contractChanges) {
  const changesets = await readChangesets(repository);
  const releases = changesets.flatMap(({ id, releases }) => releases.map(({ name, type }) => ({ id, name, type })));
  const declared = biggest(releases.filter(({ name }) => name === contractPackage).map(({ type }) => type));
  const packages = new Set((await workspacePackages(repository)).map(({ manifest }) => manifest.name));
  const misnamed = releases.filter(({ name }) => !packages.has(name));
  const problems = misnamed.map(({ id, name }) => `.changeset/${id}.md: ${name} is not in the workspace`);
  // Until the first release there is nothing to compare with.
  if (!existsSync(join(repository, 'openapi', released)))
    return { compared: false, required: 'none', declared, problems };
  const changes = await changesIn(join(repository, 'openapi'));
  const undeclared = changes.filter(({ impact }) => rank(declared) < rank(impact));
  const found = `for ${contractPackage}, found ${declared} (changeset add)`;
  // Lines such as `openapi/paths/v1_vehicles_consent.yaml:12: …`: where, what is wrong, and what fixes it.
  problems.push(
    ...undeclared.map((one) => `openapi/${one.place}: ${one.message}: needs a ${one.impact} changeset ${found}`),
  );
  return { compared: true, required: biggest(changes.map(({ impact }) => impact)), declared, problems };
}
