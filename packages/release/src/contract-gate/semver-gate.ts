import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readChangesets } from '@changesets/read';
import { parse } from 'yaml';
import { redocly } from '../../../../openapi/build/bundle.ts';
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
  readonly components: { readonly schemas: object };
  readonly 'x-error-catalogue': readonly Readonly<Record<string, unknown>>[];
}

/** The members of an error that people read. What a client does depends on the others. */
const words = ['message', 'meaning', 'remedy', 'details'];

/**
 * Every change between the released bundle and the contract in a folder: what `redocly diff` finds, and what escapes it, which are the
 * error catalogue, because it is an extension, and the names of schemas, which are names of types.
 */
async function contractChanges(folder: string): Promise<readonly Change[]> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const changeAt = (file: string, line: RegExp, impact: Impact, message: string): Change => {
    const above = read(file).split(line)[0] ?? '';
    return { impact, message, place: `${file}:${above.split('\n').length}` };
  };
  const { info, components, 'x-error-catalogue': before }: Bundle = parse(read(released));
  const flags = ['--config', rules, '--format', 'json', '--fail-on', 'none'];
  const report = await redocly(folder, 'diff', released, 'openapi.yaml', ...flags);
  const { changes }: { changes: readonly Difference[] } = JSON.parse(report);
  const isIntroduced = info.description === read('guides/introduction.md');
  const files = readdirSync(join(folder, 'components/schemas'));
  const gone = Object.keys(components.schemas).filter((name) => !files.includes(`${name}.yaml`));
  const after: Bundle['x-error-catalogue'] = parse(read('errors.yaml'));
  const lineOf = (code: unknown) => new RegExp(`code: ["']?${code}["']?$`, 'm');
  return [
    ...changes
      // A bundle differs in its form: its components are listed, and its description is the text of a guide.
      .filter(({ path }) => !/^#\/components\/\w+$|^#\/info\/description$/.test(path))
      .filter(({ path, property }) => path !== '#/info' || property !== 'description' || !isIntroduced)
      .map(changeOf),
    ...gone.map((name) => changeAt(released, new RegExp(`^ +${name}:$`, 'm'), 'major', `schema ${name} was removed`)),
    ...before
      .filter(({ code }) => !after.some((error) => error['code'] === code))
      .map(({ code }) => changeAt(released, lineOf(code), 'major', `error code ${code} was removed`)),
    ...after.flatMap((error) => {
      const { code } = error;
      const old = before.find((entry) => entry['code'] === code);
      if (old === undefined) return [changeAt('errors.yaml', lineOf(code), 'minor', `error code ${code} is new`)];
      const changed = Object.keys({ ...old, ...error }).filter((key) => !isDeepStrictEqual(old[key], error[key]));
      return changed.map((member) => {
        const impact = words.includes(member) ? 'patch' : 'major';
        return changeAt('errors.yaml', lineOf(code), impact, `${member} of error code ${code} changed`);
      });
    }),
  ];
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
  problems.push(
    ...undeclared.map((one) => `openapi/${one.place}: ${one.message}: needs a ${one.impact} changeset ${found}`),
  );
  return { compared: true, required: biggest(changes.map(({ impact }) => impact)), declared, problems };
}
