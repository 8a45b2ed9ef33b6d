import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessToken, repository, startService, writeVds } from './apps.ts';
import { type Output, type Sample, samplesOf, separator } from './markdown-samples.ts';
import { expectPicture, pictureOf } from './pictures.ts';

const run = promisify(execFile);

/** Markdown files of a folder, as paths from the repository. */
async function markdownIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(`${repository}/${folder}`);
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'apps/proxy/runtimes/README.md',
  'packages/client/README.md',
  ...(await markdownIn('openapi')),
  ...(await markdownIn('openapi/guides')),
  ...(await markdownIn('apps/docs/guides')),
  ...(await markdownIn('packages/validators')),
  ...(await markdownIn('packages/archive')),
  ...(await markdownIn('packages/trip-view')),
  ...(await markdownIn('apps/proxy')),
  ...(await markdownIn('apps/sandbox')),
].filter((file) => !file.endsWith('CHANGELOG.md'));
/** The samples of the client's README that make no client use the one of its first sample, here of the sandbox. */
const clientOfReadme = `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8788', brand: 'brand_a', accessToken: 'demo-access-token' });
const vin = 'SANDB0XA000000001';
`;
const samples = (await Promise.all(files.map(samplesOf))).flat().map((sample) => {
  const continuesFirst =
    sample.place.startsWith('packages/client/README.md') &&
    sample.language === 'ts' &&
    !sample.source.includes('createVehicleDataClient(');
  return continuesFirst ? { ...sample, source: `${clientOfReadme}${sample.source}` } : sample;
});
// In the order of the menu.
const ofReference = (
  await Promise.all(Object.keys(operations).map((id) => samplesOf(`apps/docs/dist/operations/${id}.md`)))
).flat();

/** Shell blocks that are not run here, by their first line, each with the place that shows them true. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'npm start': 'start.test.ts',
  'npm start   # installs, builds, starts the sandbox and the proxy in front of it; prints three curl lines to paste':
    'start.test.ts, and this run is a part of the second line',
  'git switch main': 'npm run rehearse-release, which runs the lines of this block',
};
/** Packages are installed by the tests of the release. */
const isInstallation = (source: string) =>
  /^npm install (?:--save-dev |--global )?(?:@vehicle-data\/[a-z-]+ ?)+$/.test(source.trim());

/** A block of scripts: with pnpm those of the package it is in, with npm those of the repository. Here they need only be there. */
const script = /^(pnpm|npm)(?: run)? ([a-z:-]+)(?: +#.*)?$/;
const isOwnScripts = (source: string) =>
  source
    .trim()
    .split('\n')
    .every((line) => script.test(line));

const updating = process.env['UPDATE_DOCS'] === '1';
const work = `${repository}/packages/e2e/test/generated`;
const { sandbox, proxy } = await startService();

beforeAll(async () => {
  await rm(work, { recursive: true, force: true });
  await writeVds(`${work}/bin`);
});
afterAll(() => rm(work, { recursive: true, force: true }));

const addressed = (source: string) =>
  source
    .replaceAll('http://127.0.0.1:8787', proxy.address)
    .replaceAll('http://127.0.0.1:8788', sandbox.address)
    .replaceAll('https://vehicle-data.invalid', sandbox.address);

const moduleOf = (source: string) => `${addressed(source)}\nexport {};\n`;

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
  if (!updating) {
    expect(found, `${place} prints; run: UPDATE_DOCS=1 pnpm --filter @vehicle-data/e2e test docs`).toBe(shown);
  }
  const path = `${repository}/${place.slice(0, place.lastIndexOf(':'))}`;
  // Times and identifiers stay those that are shown.
  const kept = [...output.text.matchAll(/"(?:timestamp|requestId)": ?("[^"]*")/g)].map(([, value]) => value);
  const text = isJson
    ? JSON.stringify(JSON.parse(found), null, 2).replaceAll('"…"', () => kept.shift() ?? '"…"')
    : found;
  const block = (content: string) => `\`\`\`${output.language}\n${content}\`\`\`\n`;
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(block(output.text), () => block(`${text}\n`)),
  );
}

/** Compares the pictures that a sample wrote with those that the docs show, or copies them there with UPDATE_DOCS=1. */
async function expectPictures(source: string): Promise<void> {
  for (const [, name = '', type] of source.matchAll(/writeFile\('([a-z-]+)\.(svg|html)'/g)) {
    const written = await readFile(`${work}/${name}.${type}`, 'utf8');
    await expectPicture(name, type === 'svg' ? written : pictureOf(written));
  }
}

const named = (language: Sample['language']) =>
  samples.filter((sample) => sample.language === language).map((sample) => [sample.place, sample] as const);

const typeScript = named('ts').map(([place, sample], index) => [place, sample, `sample-${index}.ts`] as const);
const compiled = ofReference
  .filter(({ language }) => language === 'ts')
  .map((sample, index) => [sample.place, sample, `reference-${index}.ts`] as const);

test('every TypeScript sample of docs and READMEs compiles under strict settings', async () => {
  await Promise.all(
    [...typeScript, ...compiled].map(([, { source }, name]) => writeFile(`${work}/${name}`, moduleOf(source))),
  );
  const settings = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      types: ['node'],
      noUnusedLocals: false,
      noUnusedParameters: false,
      skipLibCheck: true,
    },
    include: ['*.ts'],
  };
  await writeFile(`${work}/tsconfig.json`, JSON.stringify(settings));
  const { stdout } = await run(`${repository}/node_modules/.bin/tsc`, ['-p', work]).catch(
    (error: { stdout: string }) => error,
  );
  const placed = [...typeScript, ...compiled].reduce(
    (text, [place, , name]) => text.replaceAll(name, `${place} ${name}`),
    stdout,
  );
  expect(placed).toBe('');
});

test.for(typeScript)('the TypeScript sample at %s runs and prints what it shows', async ([, sample, name]) => {
  await writeFile(`${work}/${name}`, moduleOf(sample.source));
  const { stdout } = await run(process.execPath, [`${work}/${name}`], {
    cwd: work,
    timeout: 30_000,
    maxBuffer: 8_000_000,
  });
  await expectShown(sample, stdout);
  await expectPictures(sample.source);
});

test.for(named('python'))('the Python sample at %s runs', async ([, sample]) => {
  const { stdout } = await run('python3', ['-c', addressed(sample.source)], { timeout: 30_000, maxBuffer: 8_000_000 });
  expect(stdout).not.toBe('');
  await expectShown(sample, stdout);
});

test('every sample of the reference works, whatever came before it: also after the one that stops data sharing', async () => {
  const isWithdrawal = ({ place }: Sample) => place.includes('stopDataSharing');
  const others = ofReference.filter((sample) => !isWithdrawal(sample));
  for (const sample of [...ofReference.filter(isWithdrawal), ...others]) {
    const { language, source, place } = sample;
    const file = `${work}/reference.ts`;
    await writeFile(file, language === 'ts' ? moduleOf(source) : addressed(source));
    const commands = { sh: 'bash', python: 'python3', ts: process.execPath };
    const { stdout, stderr } = await run(commands[language], [file], { cwd: work, timeout: 30_000 }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    // A vehicle whose sharing has stopped cannot be stopped again.
    const printed = `${stdout}${stderr}`.replaceAll(isWithdrawal(sample) ? /.*5006[\s\S]*/g : /$^/g, '');
    expect(isWithdrawal(sample) || stdout !== '', place).toBe(true);
    expect(printed, place).not.toMatch(/"error"|Error|Traceback/);
  }
});

/** The commands with our programs in place of those that npx would fetch. A server is ended once it says that it listens. */
function commands(source: string): string {
  return source.replaceAll(/^npx @vehicle-data\/(sandbox|proxy)(.*)$/gm, (_, app: string, rest: string) => {
    const program = `"${process.execPath}" "${repository}/apps/${app}/dist/node.js"${rest}`;
    if (/^ (?:check|keys|export|replay|--help|--print-config)/.test(rest)) return program;
    return `coproc SERVER { exec ${program} --port 0 2>&1; }
while read -r line <&"\${SERVER[0]}"; do echo "$line"; [[ "$line" == *"listening on"* ]] && break; done
kill "$SERVER_PID"; [[ "$line" == *"listening on"* ]]`;
  });
}

const shell = named('sh').filter(
  ([, { source }]) =>
    shownElsewhere[source.split('\n')[0] ?? ''] === undefined && !isInstallation(source) && !isOwnScripts(source),
);

// Without what the package manager has put first on the PATH: a reader's shell does not have it.
const ofReader = {
  ...process.env,
  PATH: `${work}/bin:${(process.env['PATH'] ?? '').replaceAll(/[^:]*node_modules\/[^:]*:/g, '')}`,
};
/** What the first block of the guide to the command line sets. */
const ofVds = {
  VDS_BRAND: 'brand_a',
  VDS_ACCESS_TOKEN: accessToken,
  VDS_BASE_URL: proxy.address,
  VDS_CONFIG_DIR: `${work}/vds`,
};

test.for(shell)('the commands at %s work', async ([place, sample]) => {
  const shellScript = commands(addressed(sample.source));
  const options = {
    cwd: place.includes('/') ? work : repository,
    env: { ...ofReader, ...(place.includes('guides/cli') ? ofVds : {}) },
    timeout: 30_000,
    maxBuffer: 8_000_000,
  };
  const { stdout, stderr } = await run('bash', ['-c', shellScript], options).catch(
    (error: { code: number; stdout: string; stderr: string }) => {
      throw new Error(`${place} ended with ${error.code}: ${error.stdout.slice(0, 500)}${error.stderr}`);
    },
  );
  expect(`${stdout}${stderr}`).not.toBe('');
  await expectShown(sample, stdout);
});

test.for(named('sh').filter(([, { source }]) => isOwnScripts(source)))(
  'the scripts named at %s are there',
  async ([place, { source }]) => {
    const own = place.slice(0, Math.max(0, place.lastIndexOf('/')));
    for (const line of source.trim().split('\n')) {
      const [, tool, name = ''] = script.exec(line) ?? [];
      const folder = tool === 'npm' ? '' : own;
      const manifest: unknown = JSON.parse(await readFile(`${repository}/${folder}/package.json`, 'utf8'));
      expect(manifest, line).toMatchObject({ scripts: { [name]: expect.any(String) } });
    }
  },
);

test('no reason to leave a block out stands without its block', () => {
  const firstLines = named('sh').map(([, { source }]) => source.split('\n')[0]);
  expect(Object.keys(shownElsewhere).filter((line) => !firstLines.includes(line))).toEqual([]);
});
