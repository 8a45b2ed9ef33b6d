// Runs the samples of the docs as their readers do, against a sandbox and a proxy in front of it, and compares what they print.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { accessToken, control, repository, run, startService, writeVds } from './apps.ts';
import { type Output, type Sample, separator } from './markdown-samples.ts';
import { type Failure, OneProcess } from './one-process.ts';
import { expectPicture, pictureOf } from './pictures.ts';
import { fileOf, hasOwnSettings, isOfRepository, isWithdrawal, linesOf, samples } from './samples.ts';
import { writeVdsProgram } from './vds.ts';

/** How long a sample may take: the slowest, which syncs an archive of a year, takes five seconds on a quiet machine. */
export const sampleDeadlineMs = 150_000;

/** What the docs say in backticks after some words. */
export const quotedAfter = async (file: string, words: string) =>
  (await readFile(`${repository}/${file}`, 'utf8')).split(`${words} \``)[1]?.split('`')[0] ?? '';
/** The vehicle to try withdrawal with: every sample that withdraws nothing works without it. */
const vin = await quotedAfter('openapi/guides/sandbox.md', 'Use');

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

/** A block of nothing but commands of `vds`: they run in that process, too. That `vds` is a program is shown by the blocks with a pipe. */
const isVdsAlone = (sample: Sample) =>
  sample.language === 'sh' && linesOf(sample).every((line) => /^vds [^|<>&;$]+$/.test(line));

/**
 * Starts what samples need, for the tests of a file.
 *
 * @param name of the folder that they run in
 * @param typeScript those of them that are written there
 */
export async function startSamples(name: string, typeScript: readonly Sample[]) {
  const work = `${repository}/packages/e2e/test/generated/${name}`;
  /** What samples write into the folder for temporary files. */
  const temporary = await mkdtemp(join(tmpdir(), 'samples-'));
  const { sandbox, proxy } = await startService();
  const addressed = (source: string) =>
    source
      .replaceAll('127.0.0.1:8787', new URL(proxy.address).host)
      .replaceAll('127.0.0.1:8788', new URL(sandbox.address).host)
      .replaceAll('https://vehicle-data.invalid', sandbox.address);

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
      cwd: isOfRepository(sample) ? repository : work,
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

  return {
    work,
    addressed,
    runSample,
    /** Runs a sample and compares what it shows. */
    async expectSample(sample: Sample): Promise<void> {
      if (!isWithdrawal(sample))
        expect(await control(sandbox, 'consent', { vin, consent: 'withdrawn' })).toMatchObject({ ok: true });
      const { stdout, stderr } = await runSample(sample);
      if (sample.language !== 'ts' || sample.source.includes('console.log')) expect(`${stdout}${stderr}`).not.toBe('');
      await expectShown(sample, stdout);
      await expectPictures(sample.source);
    },
  };
}
