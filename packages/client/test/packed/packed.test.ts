import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { reply, startHttpService } from '../http-service.ts';
import { expected, respondToExercise } from './exercise-service.ts';
import { compile, packageFolder, packedProject, run } from './install-packed.ts';
import { describeReadme } from './readme-samples.ts';

const project = packedProject('validators');

describe('the packed package', () => {
  test('holds the build, its sources, README and licence, and nothing else', async () => {
    const files = await readdir(join(project.folder, 'node_modules/@vehicle-data/client'));
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'src']);
  });

  test('needs openapi-fetch alone at run time', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(join(project.folder, 'node_modules/@vehicle-data/client/package.json'), 'utf8'),
    );
    expect(manifest).toMatchObject({ dependencies: { 'openapi-fetch': expect.stringMatching(/^\^\d/) } });
    expect(Object.keys((manifest as { dependencies: object }).dependencies)).toEqual(['openapi-fetch']);
  });
});

describe('as TypeScript', () => {
  const dom = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
  beforeAll(async () => {
    const text = await readFile(join(packageFolder, 'test/types/client.types.ts'), 'utf8');
    const own = text
      .replace("'../../src/index.js'", "'@vehicle-data/client'")
      .replace("'../../src/series/index.js'", "'@vehicle-data/client/series'")
      .replace("'../../src/testing/index.js'", "'@vehicle-data/client/testing'");
    await writeFile(join(project.folder, 'consumer.ts'), own);
  });

  test.each([
    ['node16', { module: 'node16', moduleResolution: 'node16', lib: dom }],
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext', lib: dom }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler', lib: dom }],
    [
      'bundler with declarations checked',
      { module: 'esnext', moduleResolution: 'bundler', lib: dom, skipLibCheck: false },
    ],
  ])('with moduleResolution %s every type test holds', async (_, options) => {
    expect(await compile(project.folder, options, ['consumer.ts'])).toBe('');
  });

  test('with the types of Workers in place of those of the browser every type test holds', async () => {
    const types = join(project.folder, 'node_modules/@cloudflare/workers-types');
    await cp(join(packageFolder, 'node_modules/@cloudflare/workers-types'), types, {
      recursive: true,
      dereference: true,
    });
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022'],
      types: ['@cloudflare/workers-types'],
      skipLibCheck: true,
    };
    expect(await compile(project.folder, options, ['consumer.ts'])).toBe('');
  });
});

describe('does the same', () => {
  const systemNode = '/usr/bin/node';
  const nodes = [...new Set([process.execPath, systemNode])].filter((path) => existsSync(path));
  if (!nodes.includes(systemNode)) console.log(`not run on the Node of the system: there is no ${systemNode}`);

  test.each(nodes)('on Node %s', async (node) => {
    const service = await startHttpService(respondToExercise);
    await writeFile(
      join(project.folder, 'run.js'),
      "import { exercise } from './exercise.js';\nconsole.log(JSON.stringify(await exercise(process.argv[2])));\n",
    );
    const { stdout } = await run(node, ['run.js', service.url], { cwd: project.folder });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  test.each(nodes)('from CommonJS by require(), on Node %s', async (node) => {
    const program = `const { createVehicleDataClient } = require('@vehicle-data/client');
      const { version } = require('@vehicle-data/client/package.json');
      console.log(typeof createVehicleDataClient, typeof require('@vehicle-data/client/testing').fakeClient, version);`;
    const { stdout, stderr } = await run(node, ['--input-type=commonjs', '--eval', program], { cwd: project.folder });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^function function \d/), '']);
  });

  const browser = '/usr/bin/chromium';
  if (!existsSync(browser)) console.log(`not run in a browser: there is no ${browser}`);

  test.runIf(existsSync(browser))('bundled and minified by esbuild, in Chromium', { timeout: 30_000 }, async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "import { exercise } from './exercise.js'; globalThis.exercise = exercise;",
        resolveDir: project.folder,
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    const script = outputFiles[0]?.text ?? '';
    const service = await startHttpService((request, response) => {
      if (request.url === '/bundle.js') reply(response, 200, script, { 'content-type': 'text/javascript' });
      else if (request.url.startsWith('/v1/')) respondToExercise(request, response);
      else reply(response, 200, '<script type="module" src="/bundle.js"></script>', { 'content-type': 'text/html' });
    });
    const session = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
    onTestFinished(() => session.close());
    const page = await session.newPage();
    await page.goto(service.url);
    await page.waitForFunction('globalThis.exercise');
    expect(await page.evaluate(`exercise(${JSON.stringify(service.url)})`)).toEqual(expected);
  });
});

describeReadme(project);
