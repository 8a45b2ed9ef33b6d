// The packed package on Deno, Bun and workerd. Installs them first: npm run test:runtimes
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startHttpService } from '../test/http-service.ts';
import { expected, respondToExercise } from '../test/packed/exercise-service.ts';
import { packageFolder, packedProject, run } from '../test/packed/install-packed.ts';

const bin = join(packageFolder, 'runtimes/node_modules/.bin');
const project = packedProject();

beforeAll(async () => {
  const script = 'console.log(JSON.stringify(await exercise(process.argv[2])));';
  await writeFile(
    join(project.folder, 'run.js'),
    `import process from 'node:process';\nimport { exercise } from './exercise.js';\n${script}\n`,
  );
});

test.each([
  ['Deno', 'deno', ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual', 'run.js']],
  ['Bun', 'bun', ['run.js']],
])('%s does what Node does', async (_, program, args) => {
  const service = await startHttpService(respondToExercise);
  const { stdout } = await run(join(bin, program), [...args, service.url], { cwd: project.folder });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('workerd does what Node does', async () => {
  const service = await startHttpService(respondToExercise);
  const handler = `import { exercise } from './exercise.js';
    export default { fetch: async () => Response.json(await exercise(${JSON.stringify(service.url)})) };`;
  await build({
    stdin: { contents: handler, resolveDir: project.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: join(project.folder, 'worker.js'),
  });
  await writeFile(
    join(project.folder, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  );
  const stdio = ['ignore', 'inherit', 'inherit', 'pipe'] as const;
  const child = spawn(join(bin, 'workerd'), ['serve', '--control-fd=3', 'worker.capnp'], {
    cwd: project.folder,
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill());
  const response = await fetch(`http://127.0.0.1:${await portOf(child)}/`);
  expect(await response.json()).toEqual(expected);
});

/** The port that workerd says on its control pipe that it listens on. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    (child.stdio[3] as Readable).on('data', (bytes: Buffer) => {
      said += bytes;
      const [, port] = /"port":\s*(\d+)/.exec(said) ?? [];
      if (port) resolve(Number(port));
    });
    child.once('exit', (code) => reject(new Error(`workerd ended with code ${code}`)));
  });
}
