import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { executablePath } from '../../../../scripts/chromium.ts';
import { startFirefox } from '../../../../scripts/firefox.ts';
import { pagePatienceMs } from '../../../../scripts/patience.ts';
import { startHttpService, success, vin } from '../service.ts';
import { expected, respondToExercise } from './exercise-service.ts';
import { compileTypes, link, packageFolder, packedProject, run } from './packed-project.ts';

const project = await packedProject();

test('holds the modules of its sources and no others', async () => {
  const filesOf = async (folder: string) => {
    const names = await readdir(join(project, 'node_modules/@vehicle-data/client', folder), { recursive: true });
    return names.filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts')).map((name) => name.slice(0, -3));
  };
  expect((await filesOf('dist')).toSorted()).toEqual((await filesOf('src')).toSorted());
});

const browserTypes = { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] };
const workerTypes = { lib: ['es2022'], types: ['@cloudflare/workers-types'], skipLibCheck: true };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };
test.each<{ story: string; options: object }>([
  { story: 'node16', options: { ...browserTypes, module: 'node16' } },
  { story: 'nodenext', options: { ...browserTypes, module: 'nodenext' } },
  { story: 'bundler, with declarations checked', options: { ...browserTypes, ...bundler, skipLibCheck: false } },
  {
    story: 'bundler, with the types of Workers in place of those of the browser',
    options: { ...workerTypes, ...bundler },
  },
])('every type test holds with moduleResolution $story', async ({ options }) => {
  await link(project, join(packageFolder, 'node_modules'), '@cloudflare/workers-types').catch(() => undefined);
  const compiler = join(packageFolder, 'node_modules/typescript/bin/tsc');
  // Its threads check some of the types anew each: one takes less of the processor.
  expect(await compileTypes(project, compiler, options, undefined, ['--singleThreaded'])).toBe('');
});

const systemNode = '/usr/bin/node';
const nodes = [process.execPath, ...(existsSync(systemNode) ? [systemNode] : [])];
if (!nodes.includes(systemNode)) console.log(`not run on the Node of the system: there is no ${systemNode}`);

test.each(nodes)('works on Node %s, also from CommonJS by require()', async (node) => {
  const service = await startHttpService(respondToExercise);
  const { stdout, stderr } = await run(node, ['run.js', service.url], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(expected);
  expect(stderr).toBe('');
  const program = `const { createVehicleDataClient } = require('@vehicle-data/client');
    const { version } = require('@vehicle-data/client/package.json');
    const { fakeClient } = require('@vehicle-data/client/testing');
    const { vehicleQueries } = require('@vehicle-data/client/query');
    console.log(typeof createVehicleDataClient, typeof fakeClient, typeof vehicleQueries, version);`;
  const required = await run(node, ['--input-type=commonjs', '--eval', program], { cwd: project });
  expect(required).toMatchObject({ stdout: expect.stringMatching(/^function function function \d/), stderr: '' });
});

if (!existsSync(executablePath)) console.log(`not run in a browser: there is no ${executablePath}`);

test.runIf(existsSync(executablePath))('works bundled and minified by esbuild, in Chromium', async () => {
  const session = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => session.close());
  const service = await startPage();
  const tab = await session.newPage();
  tab.setDefaultTimeout(pagePatienceMs);
  await tab.goto(service.url);
  await tab.waitForFunction('globalThis.exercise');
  expect(await tab.evaluate(`exercise('${service.url}')`)).toEqual(expected);
  expect(await tab.evaluate(tooLargeCall(await startTooLarge()))).toBe('response-too-large');
});

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
if (!firefox) console.log('not run in Firefox: there is no /usr/bin/firefox-esr or /usr/bin/firefox');

test.runIf(firefox)('works bundled and minified by esbuild, in Firefox', { timeout: 120_000 }, async () => {
  const session = await startFirefox(`${firefox}`);
  onTestFinished(session.close);
  const service = await startPage();
  await session.open(service.url);
  expect(await session.evaluate(`exercise('${service.url}')`)).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(await session.evaluate(tooLargeCall(await startTooLarge()))).toBe('response-too-large');
});

/** A service with a page that has the packed SDK, bundled and minified. */
async function startPage() {
  const contents = `import { exercise } from './exercise.js'; import { createVehicleDataClient } from '@vehicle-data/client';
    Object.assign(globalThis, { exercise, createVehicleDataClient });`;
  const stdin = { contents, resolveDir: project };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
  const page = `<script type="module">${outputFiles[0]?.text}</script>`;
  const service = await startHttpService((request, response) => {
    if (request.url?.startsWith('/v1/')) respondToExercise(request, response);
    else response.setHeader('content-type', 'text/html').end(page);
  });
  return service;
}

/** A service of another origin, whose compressed response unfolds: a page sees its length, and not that it is compressed. */
async function startTooLarge(): Promise<string> {
  const zeros = gzipSync(success({ location: {}, filler: '0'.repeat(5_000_000) }));
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'content-encoding': 'gzip',
  };
  const { url } = await startHttpService((_, response) =>
    response.writeHead(200, { ...headers, 'content-length': zeros.length }).end(zeros),
  );
  return url;
}

/** A call in the page whose response is too large, as an expression that gives its code. */
function tooLargeCall(baseUrl: string): string {
  const options = { baseUrl, brand: 'brand_a', accessToken: null, maxResponseBytes: 10_000 };
  const call = `createVehicleDataClient(${JSON.stringify(options)}).getLocation({ vin: '${vin}' })`;
  return `${call}.catch(({ code }) => code)`;
}
