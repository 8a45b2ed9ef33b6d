// The bundle in tools that others wrote, installed in a folder outside the workspace.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../src/index.js';

// The tools come from a registry: `pnpm run test:outside`.
const isWanted = process.env['TEST_OUTSIDE'] === '1';
if (!isWanted) console.log('Outside tools are not tried without TEST_OUTSIDE=1: they are downloaded.');

/** The tools of the table in the docs, each with its version and the result that the table gives. */
const guide = await readFile(new URL('../../apps/docs/guides/other-languages.md', import.meta.url), 'utf8');
const rows = [...guide.matchAll(/^\| `(\S+)` +\| (\S+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)];
const versions = new Map(rows.map(([, name = '', version = '']) => [name, version]));
const resultOf = (name: string) => rows.find(([, one]) => one === name)?.[5];
const packages = [...versions].filter(([name]) => name !== 'vss-tools').map(([name, version]) => `${name}@${version}`);
/** Chromium by the names that systems give it. */
const path = (process.env['PATH'] ?? '').split(delimiter);
const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) =>
  path.some((one) => existsSync(join(one, name))),
);
if (isWanted && chromium === undefined) console.log('Swagger UI is not tried: there is no Chromium.');
const bundle = fileURLToPath(new URL('../dist/openapi.json', import.meta.url));
// The tools run on the Node of this test, not on an older one that is installed beside it.
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };
const run = (file: string, flags: readonly string[], options: { readonly cwd?: string } = {}) =>
  promisify(execFile)(file, flags, { ...options, env, maxBuffer: 64 << 20 });
/** What a tool prints, whatever it exits with: linters fail where they find something. */
const printed = (name: string, ...flags: readonly string[]): Promise<string> =>
  run(join(folder, 'node_modules/.bin', name), flags).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
let folder = '';

beforeAll(async () => {
  if (!isWanted) return;
  folder = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', ...packages], { cwd: folder });
}, 900_000);

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.runIf(isWanted)(
  'the mock of Prism responds to a request without Brand with 4002, on every operation',
  async () => {
    const mock = spawn(join(folder, 'node_modules/.bin/prism'), ['mock', bundle, '--port', '0'], { cwd: folder });
    try {
      let address: string | undefined;
      for await (const line of createInterface(mock.stdout)) {
        address = /listening on (http:\/\/[\d.:]+)/.exec(line)?.[1];
        if (address) break;
      }
      for (const { path, method, parameters } of Object.values(operations)) {
        const query = parameters
          .filter((one) => one.in === 'query' && one.required)
          .map(({ name }) => `${name}=20260302`);
        const url = `${address}${path.replace('{vin}', 'SANDB0XA000000001')}?${query.join('&')}`;
        const response = await fetch(url, { method, headers: { Authorization: 'Bearer token' } });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { code: '4002' } });
      }
    } finally {
      mock.kill();
    }
  },
);

test.runIf(isWanted && chromium !== undefined)(
  'Swagger UI shows 4002 as the first example of status 400, on every operation',
  async () => {
    const assets = join(folder, 'node_modules/swagger-ui-dist/swagger-ui-bundle.js');
    await cp(assets, join(folder, 'swagger-ui-bundle.js'));
    const spec = (await readFile(bundle, 'utf8')).replaceAll('</', '<\\/');
    const script = `SwaggerUIBundle({ spec: ${spec}, dom_id: '#ui', docExpansion: 'full' })`;
    const page = `<!doctype html><div id="ui"></div><script src="swagger-ui-bundle.js"></script><script>${script}</script>`;
    await writeFile(join(folder, 'page.html'), page);
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=60000', '--dump-dom'];
    const { stdout } = await run(chromium ?? '', [...flags, `file://${folder}/page.html`]);
    const responses = [...stdout.matchAll(/<tr class="response[^"]*" data-code="400">(.*?)<\/tr>/gs)];
    const shown = responses.map(([, html = '']) => /"code": "([^"]*)"/.exec(html.replaceAll(/<[^>]+>/g, ''))?.[1]);
    expect(shown).toEqual(Object.keys(operations).map(() => '4002'));
  },
  300_000,
);

test.runIf(isWanted)('the rules of Spectral find nothing in the bundle', async () => {
  const rules = join(folder, 'rules.yaml');
  await writeFile(rules, 'extends: ["spectral:oas"]\n');
  const found = await printed('spectral', 'lint', '--ruleset', rules, '--format', 'json', '--quiet', bundle);
  const problems: readonly { severity: number }[] = JSON.parse(found);
  expect(problems).toEqual([]);
  expect(resultOf('@stoplight/spectral-cli')).toBe('no error, no warning');
});

test.runIf(isWanted)(
  'the strict rules of Redocly find nothing in the bundle, and its score is the one of the docs',
  async () => {
    const config = join(folder, 'strict.yaml');
    await writeFile(config, 'telemetry: off\nextends: [recommended-strict]\n');
    const json = async (...flags: readonly string[]) => {
      const text = await printed('redocly', ...flags, '--config', config, '--format', 'json');
      return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    };
    const { totals }: { totals: { errors: number; warnings: number } } = await json('lint', bundle);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    const { agentReadiness }: { agentReadiness: number } = await json('score', bundle);
    expect(resultOf('@redocly/cli')).toBe(`no error, no warning; score ${agentReadiness}`);
  },
);

test.runIf(isWanted)(
  'the rules of IBM find what the docs say, all of it about names and bounds that the API has',
  async () => {
    const text = await printed('lint-openapi', '-j', bundle);
    const found: Record<'error' | 'warning', IbmFindings> = JSON.parse(text.slice(text.indexOf('{')));
    const { error, warning } = found;
    expect(resultOf('ibm-openapi-validator')).toBe(`${error.summary.total} errors, ${warning.summary.total} warnings`);
    // The keyword is `webhooks`, which the tool does not read.
    const about = /snake case|MUST|format|'(minimum|maximum|enum)'|unsupported OpenAPI 3.1 keyword/;
    const others = error.summary.entries.filter(({ generalizedMessage }) => !about.test(generalizedMessage));
    expect(others).toEqual([]);
  },
  300_000,
);

interface IbmFindings {
  readonly summary: {
    readonly total: number;
    readonly entries: readonly { readonly generalizedMessage: string; readonly count: number }[];
  };
}

test.runIf(isWanted)(
  'the tools of VSS take the overlay, with every strict check',
  async () => {
    const environment = join(folder, 'python');
    await run('python3', ['-m', 'venv', environment]);
    await run(join(environment, 'bin/pip'), ['install', '--quiet', `vss-tools==${versions.get('vss-tools')}`]);
    const overlay = fileURLToPath(new URL('../vehicle-data.vspec', import.meta.url));
    const written = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    // The branches of the catalogue that the overlay hangs on, and the unit that it uses.
    const branches = [
      'Vehicle',
      ...['ADAS', 'Chassis', 'Chassis.SteeringWheel', 'Powertrain', 'Powertrain.Transmission'].map(
        (name) => `Vehicle.${name}`,
      ),
    ];
    const roots = branches.map((name) => `${name}:\n  type: branch\n  description: Of the catalogue.\n`).join('');
    const unit =
      'degrees/s:\n  definition: D\n  unit: degree per second\n  quantity: angular-speed\n  allowed-datatypes: [numeric]\n';
    const flags = {
      '-s': await written('catalogue.vspec', roots),
      '-u': await written('units.yaml', unit),
      '-q': await written('quantities.yaml', 'angular-speed:\n  definition: D\n'),
      '-l': overlay,
      '-o': join(folder, 'names.json'),
    };
    const vspec = join(environment, 'bin/vspec');
    const exportNames = (values: object) =>
      run(vspec, ['export', 'json', '--strict', ...Object.entries(values).flat()]);
    await exportNames(flags);
    const names = await readFile(join(folder, 'names.json'), 'utf8');
    expect(names).toContain('"RotationSpeed"');
    const broken = (await readFile(overlay, 'utf8')).replace('datatype: float', 'datatype: number');
    await expect(exportNames({ ...flags, '-l': await written('broken.vspec', broken) })).rejects.toThrow();
  },
  900_000,
);
