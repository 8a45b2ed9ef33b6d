import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessToken, control, repository, run, startService, writeVds } from './apps.ts';
import { type Output, type Sample, samplesOf, separator } from './markdown-samples.ts';
import { type Failure, OneProcess } from './one-process.ts';
import { expectPicture, pictureOf } from './pictures.ts';
import { writeVdsProgram } from './vds.ts';

const patterns = [
  '{README,CONTRIBUTING,SECURITY}.md',
  'openapi/{,guides/}*.md',
  'apps/docs/{.vitepress,guides}/*.md',
  'apps/{collector,proxy,proxy/runtimes,sandbox}/*.md',
  'packages/{archive,cli,client,trip-view,validators}/*.md',
];
const files = globSync(patterns, { cwd: repository, exclude: ['**/CHANGELOG.md'] }).toSorted();
/** The samples of the client's README that make no client use the one of its first sample, here of the sandbox. */
const clientOfReadme = `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8788', brand: 'brand_a', accessToken: 'demo-access-token' });
const vin = 'SANDB0XA000000001';
`;
const samples = (await Promise.all(files.map(samplesOf))).flat().map((sample) => {
  const { place, language, source } = sample;
  const isWhole = !place.startsWith('packages/client/README.md') || source.includes('createVehicleDataClient(');
  return isWhole || language !== 'ts' ? sample : { ...sample, source: `${clientOfReadme}${source}` };
});
// In the order of the menu.
const ofReference = (
  await Promise.all(Object.keys(operations).map((id) => samplesOf(`apps/docs/dist/operations/${id}.md`)))
).flat();

/** Blocks that are not run here, by their first line, each with the place that shows them true. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'git switch main': 'npm run rehearse-release, which runs the lines of this block',
  "import { readFile } from 'node:fs/promises';": 'browser.test.ts, which opens the address that the tutorial prints',
  'export VDS_BRAND=brand_a VDS_ACCESS_TOKEN=demo-access-token': 'start.test.ts',
};
const linesOf = ({ source }: Sample) => source.trim().split('\n');
const isShownElsewhere = (sample: Sample) => (linesOf(sample)[0] ?? '') in shownElsewhere;
/** Packages are installed by the tests of the release. */
const isInstallation = ({ source }: Sample) =>
  /^npm install (?:--save-dev |--global )?(?:@(?:vehicle-data|duckdb)\/[a-z-]+ ?)+$/.test(source.trim());
/** A block of scripts: with pnpm those of the package it is in, with npm those of the repository. Here they need only be there. */
const script = /^(pnpm|npm)(?: run)? ([a-z:-]+)(?: +#.*)?$/;
const isOwnScripts = (sample: Sample) => linesOf(sample).every((line) => script.test(line));

const work = `${repository}/packages/e2e/test/generated`;
/** What samples write into the folder for temporary files. */
const temporary = await mkdtemp(join(tmpdir(), 'samples-'));
const { sandbox, proxy } = await startService();
const addressed = (source: string) =>
  source
    .replaceAll('127.0.0.1:8787', new URL(proxy.address).host)
    .replaceAll('127.0.0.1:8788', new URL(sandbox.address).host)
    .replaceAll('https://vehicle-data.invalid', sandbox.address);

const typeScript = [...samples, ...ofReference].filter(({ language }) => language === 'ts');
const fileOf = (sample: Sample) => `sample-${typeScript.indexOf(sample)}.ts`;

beforeAll(async () => {
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await writeVds(`${work}/bin`);
  for (const sample of typeScript)
    await writeFile(`${work}/${fileOf(sample)}`, `${addressed(sample.source)}\nexport {};\n`);
});
afterAll(async () => {
  together.stop();
  for (const folder of [work, temporary]) await rm(folder, { recursive: true, force: true });
});

/** The commands with our programs in place of those that npx would fetch. A server is ended once it says that it listens. */
function commands(source: string): string {
  return source.replaceAll(/^npx @vehicle-data\/(sandbox|proxy)(.*)$/gm, (_, app: string, rest: string) => {
    const program = `"${process.execPath}" "${repository}/apps/${app}/dist/node.js"${rest}`;
    if (/^ (?:check|keys|stop|resume|export|--help|--print-config)/.test(rest)) return program;
    // A free port, whatever the sample says.
    const free = `${program.replace(/ --port[ =]\d+/, '')} --port 0`;
    return `coproc SERVER { exec ${free} 2>&1; }
while read -r line <&"\${SERVER[0]}"; do echo "$line"; [[ "$line" == *"listening on"* ]] && break; done
kill "$SERVER_PID"; [[ "$line" == *"listening on"* ]]`;
  });
}

// Without what the package manager has put first on the PATH: a reader's shell does not have it.
const ofReader = {
  ...process.env,
  TMPDIR: temporary,
  PATH: `${work}/bin:${(process.env['PATH'] ?? '').replaceAll(/[^:]*node_modules\/[^:]*:/g, '')}`,
};
/** What the first block of the guide to the command line, or of its README, sets. */
const ofVds = {
  VDS_BRAND: 'brand_a',
  VDS_ACCESS_TOKEN: accessToken,
  VDS_BASE_URL: proxy.address,
  VDS_CONFIG_DIR: `${work}/vds`,
};

/** Of the TypeScript samples that say nothing of their process and change nothing in it. */
const together = new OneProcess({ cwd: work, env: ofReader });
const needsOwnProcess = /process\.(?!stdout)|\.listen\(|setInterval|globalThis/;

/** A block of nothing but commands of `vds`: they run in that process, too. That `vds` is a program is shown by the blocks with a pipe. */
const isVdsAlone = (sample: Sample) =>
  sample.language === 'sh' && linesOf(sample).every((line) => /^vds [^|<>&;$]+$/.test(line));

/** What the guide to the command line has set before. */
const hasOwnSettings = ({ place }: Sample) => /guides\/cli|packages\/cli/.test(place);
const folderOf = ({ language, place }: Sample) => (language === 'sh' && !place.includes('/') ? repository : work);

/** How long a sample may take: the slowest, which syncs an archive of a year, takes five seconds on a quiet machine. */
const sampleDeadlineMs = 150_000;

/** Runs a sample as its reader does, and fails with what it printed. */
async function runSample(sample: Sample): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { language, place } = sample;
  const source = addressed(sample.source);
  const [program, flags] = {
    ts: [process.execPath, [fileOf(sample)]] as const,
    python: ['python3', ['-c', source]] as const,
    sh: ['bash', ['-c', commands(source)]] as const,
  }[language];
  const options = {
    cwd: folderOf(sample),
    env: { ...ofReader, ...(hasOwnSettings(sample) ? ofVds : {}) },
    timeout: sampleDeadlineMs,
    maxBuffer: 8_000_000,
  };
  const isTogether = language === 'ts' && !hasOwnSettings(sample) && !needsOwnProcess.test(source);
  const vdsFile = `${work}/vds-${samples.indexOf(sample)}.mjs`;
  if (isVdsAlone(sample)) await writeVdsProgram(vdsFile, linesOf(sample), ofVds);
  const file = isVdsAlone(sample) ? vdsFile : isTogether && `${work}/${fileOf(sample)}`;
  const running = file ? together.run(file, sampleDeadlineMs) : run(program, flags, options);
  return running.catch((error: Failure) => {
    const end = error.killed ? `did not end in ${sampleDeadlineMs / 1000} seconds` : `ended with ${error.code}`;
    throw new Error(`${place} ${end}: ${error.stdout.slice(0, 500)}${error.stderr}`);
  });
}

/** Output with the addresses of the docs, and with times and identifiers that differ between runs made alike. */
const comparable = (output: string) =>
  output
    .replaceAll(proxy.address, 'http://127.0.0.1:8787')
    .replaceAll(sandbox.address, 'http://127.0.0.1:8788')
    .replaceAll(/("(?:timestamp|requestId)": ?)"[^"]*"/g, '$1"…"')
    .trim();

/** Compares what a sample printed with the blocks after it, or writes it there with UPDATE_DOCS=1. */
async function expectShown({ outputs, place }: Sample, printed: string): Promise<void> {
  const parts = printed.split(separator);
  for (const [index, output] of outputs.entries())
    if (output !== undefined) await expectBlock(output, place, parts[index] ?? '');
}

async function expectBlock(output: Output, place: string, printed: string): Promise<void> {
  const [found, shown] = [comparable(printed), comparable(output.text)];
  const isJson = output.language === 'json';
  const isAsShown = isJson ? isDeepStrictEqual(JSON.parse(found), JSON.parse(shown)) : found === shown;
  if (isAsShown) return;
  if (process.env['UPDATE_DOCS'] !== '1') {
    expect(found, `${place} prints; run: UPDATE_DOCS=1 pnpm --filter @vehicle-data/e2e test docs`).toBe(shown);
  }
  const path = `${repository}/${place.slice(0, place.lastIndexOf(':'))}`;
  // Times and identifiers stay those that are shown.
  const kept = [...output.text.matchAll(/"(?:timestamp|requestId)": ?("[^"]*")/g)].map(([, value]) => value);
  const text = isJson
    ? JSON.stringify(JSON.parse(found), null, 2).replaceAll('"…"', () => kept.shift() ?? '"…"')
    : found;
  const block = (content: string) => `\`\`\`${output.language}\n${content}\`\`\`\n`;
  const before = await readFile(path, 'utf8');
  const renewed = before.replace(block(output.text), () => block(`${text}\n`));
  await writeFile(path, renewed);
}

/** Compares the pictures that a sample wrote with those that the docs show, or copies them there with UPDATE_DOCS=1. */
async function expectPictures(source: string): Promise<void> {
  for (const [, name = '', type] of source.matchAll(/writeFile\('([a-z-]+)\.(svg|html)'/g)) {
    const written = await readFile(`${work}/${name}.${type}`, 'utf8');
    await expectPicture(name, type === 'svg' ? written : pictureOf(written));
  }
}

test('every TypeScript sample of docs and READMEs compiles under strict settings', async () => {
  const unused = { noUnusedLocals: false, noUnusedParameters: false };
  const settings = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true, types: ['node'], skipLibCheck: true, ...unused },
    include: ['*.ts'],
  };
  await writeFile(`${work}/tsconfig.json`, JSON.stringify(settings));
  const { stdout } = await run(`${repository}/node_modules/.bin/tsc`, ['--singleThreaded', '-p', work]).catch(
    (error: { stdout: string }) => error,
  );
  const placed = stdout.replaceAll(/sample-(\d+)\.ts/g, (file, index) => `${typeScript[index]?.place} ${file}`);
  expect(placed).toBe('');
});

/** What the docs say in backticks after some words. */
const quotedAfter = async (file: string, words: string) =>
  (await readFile(`${repository}/${file}`, 'utf8')).split(`${words} \``)[1]?.split('`')[0] ?? '';
/** The vehicle to try withdrawal with: every sample that withdraws nothing works without it. */
const vin = await quotedAfter('openapi/guides/sandbox.md', 'Use');
const putBack = await quotedAfter('apps/docs/dist/operations/stopDataSharing.md', 'Put the sandbox back afterwards:');
const isWithdrawal = ({ source }: Sample) => /stopSharing\(|DELETE/.test(source);

/** Whether a sample is all of another, or its beginning, and shows the same: guides have those of READMEs, and go on. It runs as that one. */
const isPartOf = (sample: Sample, other: Sample) =>
  other.language === sample.language &&
  other.source.startsWith(sample.source) &&
  sample.outputs.every((output, index) => output?.text === other.outputs[index]?.text) &&
  folderOf(other) === folderOf(sample) &&
  hasOwnSettings(other) === hasOwnSettings(sample);
const runsElsewhere = (sample: Sample, index: number) =>
  samples.some((other, at) => isPartOf(sample, other) && (at < index || (at > index && !isPartOf(other, sample))));

const isRun = (sample: Sample) =>
  !isShownElsewhere(sample) &&
  !(sample.language === 'sh' && (isInstallation(sample) || isOwnScripts(sample))) &&
  !runsElsewhere(sample, samples.indexOf(sample));

test.for(samples.filter(isRun))(
  'a sample works and prints what it shows: $place',
  { timeout: sampleDeadlineMs + 30_000 },
  async (sample) => {
    if (!isWithdrawal(sample))
      expect(await control(sandbox, 'consent', { vin, consent: 'withdrawn' })).toMatchObject({ ok: true });
    const { stdout, stderr } = await runSample(sample);
    if (sample.language !== 'ts' || sample.source.includes('console.log')) expect(`${stdout}${stderr}`).not.toBe('');
    await expectShown(sample, stdout);
    await expectPictures(sample.source);
  },
);

test('every sample of the reference works and prints at most 4 kB, also after the vehicle of the withdrawal has gone', {
  timeout: 2 * sampleDeadlineMs,
}, async () => {
  const withdrawals = ofReference.filter(isWithdrawal);
  for (const sample of [...withdrawals, ...ofReference.filter((other) => !withdrawals.includes(other))]) {
    if (withdrawals.includes(sample)) await run('bash', ['-c', addressed(putBack)]);
    const { stdout, stderr } = await runSample(sample);
    expect(stdout, sample.place).not.toBe('');
    expect(stdout.length, sample.place).toBeLessThan(4000);
    expect(`${stdout}${stderr}`, sample.place).not.toMatch(/"error"|Error|Traceback|\[Object\]/);
  }
});

test.for(samples.filter((sample) => sample.language === 'sh' && isOwnScripts(sample)))(
  'the scripts that a sample names are there: $place',
  async (sample) => {
    for (const line of linesOf(sample)) {
      const [, tool, name = ''] = script.exec(line) ?? [];
      const folder = tool === 'npm' ? '.' : dirname(sample.place);
      const manifest: unknown = JSON.parse(await readFile(`${repository}/${folder}/package.json`, 'utf8'));
      expect(manifest, line).toMatchObject({ scripts: { [name]: expect.any(String) } });
    }
  },
);
