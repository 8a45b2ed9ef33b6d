import { equal, match, notEqual, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { docker, run } from './engine.ts';
import { until } from './until.ts';

const image = 'vehicle-data-proxy';
const name = 'vds-drill-container';
const dockerfile = ['build', '-f', 'apps/proxy/deploy/Dockerfile'];
/** What the compose file and the Kubernetes manifest ask of the engine. */
const hardened = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges:true'];
const proxyPort = '28787';

/** Builds the images and runs the proxy in one container. */
export async function container(holds: (sentence: string) => void): Promise<void> {
  await docker(...dockerfile, '-t', image, '.');
  await docker(...dockerfile, '--build-arg', 'APP=sandbox', '-t', 'vehicle-data-sandbox', '.');
  holds('the Dockerfile builds the proxy and the sandbox');

  const inside = ['run', '--rm', ...hardened, '--entrypoint', 'node', image, '-e'];
  equal(await docker(...inside, 'console.log(process.getuid())'), '1000');
  match(
    await docker(...inside, "try { fs.writeFileSync('/app/x', '') } catch (error) { console.log(error.code) }"),
    /^E/,
  );
  const writable = ['run', '--rm', '--entrypoint', 'node', image, '-e'];
  equal(
    await docker(...writable, "try { fs.writeFileSync('/app/x', '') } catch (error) { console.log(error.code) }"),
    'EACCES',
  );
  holds('it runs as a user that is not root and can write nowhere in /app');

  const refused = await run('docker', ['run', '--rm', image, '--upstream', 'ftp://zebra']);
  ok(!refused.ok);
  match(refused.end, /^vds-proxy: VDS_UPSTREAM_URL: must be an address/);
  holds('a wrong setting ends it with one line that names the setting');

  await drains(holds);
}

async function drains(holds: (sentence: string) => void): Promise<void> {
  let seen = 0;
  const service = createServer((_, response) => {
    seen++;
    const body = '{"data":{"vehicles":[]},"meta":{}}';
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 2000);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const settings = {
    VDS_UPSTREAM_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    VDS_PORT: proxyPort,
  };
  const environment = Object.entries(settings).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  await run('docker', ['rm', '-f', name]);
  try {
    await docker('run', '-d', '--name', name, '--network=host', ...hardened, ...environment, image);
    await until(
      async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', name)) === 'healthy',
      30_000,
      'healthy',
    );
    holds('the engine finds it healthy, with a root file system that cannot be written and no capabilities');

    const call = () =>
      fetch(`http://127.0.0.1:${proxyPort}/v1/vehicles/consent`, { headers: { brand: 'brand_a' } }).then(
        async (answer) => {
          await answer.text();
          return answer.status;
        },
      );
    const calls = Array.from({ length: 50 }, call);
    await until(() => seen === 50, 10_000, 'under way');
    const startMs = performance.now();
    await docker('stop', '-t', '15', name);
    ok(performance.now() - startMs < 10_000, 'it ended late');
    const statuses = await Promise.all(calls);
    equal(statuses.filter((status) => status === 200).length, 50);
    equal(await docker('inspect', '-f', '{{.State.ExitCode}}', name), '0');
    notEqual(await docker('inspect', '-f', '{{.State.OOMKilled}}', name), 'true');
    holds('docker stop lets 50 of 50 calls under way finish, and it ends with 0 within 10 s');
  } finally {
    await run('docker', ['rm', '-f', name]);
    service.closeAllConnections();
    service.close();
  }
}
