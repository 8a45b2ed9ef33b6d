// Runs `npm start`: installs, builds, starts the sandbox and the proxy in front of it, and stops both when it ends. `npm run dev` runs it
// with --watch: the apps then load the sources, and start again when these change.
// Plain JavaScript, so that a Node too old for TypeScript still gets as far as a clear message.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const help = `Usage: npm start [-- --no-build] [-- --watch]

Installs the workspace, builds it, and starts two servers on 127.0.0.1:
  sandbox  the service in playable form (VDS_SANDBOX_PORT, default 8788)
  proxy    checks requests and forwards them to the sandbox (VDS_PORT, default 8787)

  --no-build  starts what the last build left
  --watch     runs the sources and starts again what a change touches (npm run dev)
  --help      prints this text

Variables that start with VDS_ are passed to the app they belong to. Ctrl-C stops both servers.`;

const root = fileURLToPath(new URL('..', import.meta.url));
const listeningWithinMs = 15_000;
const parentPollMs = 500;
/** Who develops waits for the next request, not for the ones that are open. */
const replacedWithinMs = 300;
const isWatching = process.argv.includes('--watch');
/** What is started over and over need not be compiled each time. */
const compileCache = isWatching ? { NODE_COMPILE_CACHE: `${root}node_modules/.cache/dev` } : {};

/** A failure that one line explains; its stack would add nothing. */
class StartError extends Error {}

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
/** The process of each app that was started last. @type {Map<string, import('node:child_process').ChildProcess>} */
const running = new Map();
let stopping = false;

/**
 * Runs a step that must succeed before the apps can start. Its output appears only when it fails.
 * @param {string} step
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {string} [folder]
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
function run(step, command, parameters, folder = root, signal = undefined) {
  console.log(step);
  const child = spawn(command, parameters, {
    cwd: folder,
    env: {
      ...process.env,
      ...compileCache,
      TURBO_TELEMETRY_DISABLED: '1',
      PATH: `${root}node_modules/.bin${delimiter}${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      children.splice(children.indexOf(child), 1);
      if (code === 0) return resolve();
      if (!stopping && !signal?.aborted) console.error(output);
      reject(new StartError(`${command} ended with code ${code}`));
    });
  });
}

/**
 * Starts an app and resolves with the address that it prints once it listens.
 * @param {string} name
 * @param {Record<string, string>} environment
 * @returns {Promise<string>}
 */
function launch(name, environment) {
  const file = isWatching ? 'src/node.ts' : 'dist/node.js';
  const program = fileURLToPath(new URL(`../apps/${name}/${file}`, import.meta.url));
  if (!existsSync(program)) throw new StartError(`${name} is not built; run "npm start"`);
  const preloads = ['./end-with-parent.js', ...(isWatching ? ['./from-sources.js'] : [])];
  const options = preloads.flatMap((preload) => ['--import', new URL(preload, import.meta.url).href]);
  const child = spawn(`${root}node_modules/.bin/node`, [...options, program], {
    env: { ...environmentOf(name), ...compileCache, ...environment },
    // The channel closes when this process ends, however it ends; the app then stops as well.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C in a terminal reaches this process alone, which signals each app once: a second signal would cut its draining short.
    detached: true,
  });
  children.push(child);
  running.set(name, child);
  return new Promise((resolve, reject) => {
    let said = '';
    const giveUp = () => reject(new StartError(`${name} did not listen within ${listeningWithinMs} ms`));
    const timer = setTimeout(giveUp, listeningWithinMs);
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const address = /listening on (http:\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      // A mistake in a source is explained above the last line.
      const reason = isWatching ? said.trim() : said.trim().split('\n').at(-1);
      reject(new StartError(reason || `${name} ended with code ${code}`));
      children.splice(children.indexOf(child), 1);
      // While somebody edits, an app that does not start is not the end: the next change starts it.
      if (!stopping && !isWatching) stop(1);
    });
  });
}

/**
 * Ends an app and starts it again where it listened.
 * @param {string} name
 * @param {Record<string, string>} environment
 */
async function restart(name, environment) {
  const old = running.get(name);
  if (old !== undefined && old.exitCode === null && old.signalCode === null) {
    const gone = new Promise((resolve) => old.once('exit', resolve));
    // As from a terminal: without the delay that lets a load balancer notice.
    old.kill('SIGINT');
    const timer = setTimeout(() => old.kill('SIGKILL'), replacedWithinMs);
    await gone;
    clearTimeout(timer);
  }
  if (!stopping) await launch(name, environment);
}

/** What the docs of the command line have their reader export, and its other variables. */
const ofCommandLine =
  /^VDS_(?:ACCESS_TOKEN(?:_FILE)?|API_KEY(?:_FILE)?|ARCHIVE|BASE_URL|BRAND|CONCURRENCY|CONFIG_DIR|PROFILE|TIMEOUT_MS|ZONE)$/;

/**
 * What the environment says to one app. HOST and PORT name one server, and here there are two. An access token is the proxy's where
 * its settings choose how it authenticates.
 * @param {string} name
 */
function environmentOf(name) {
  const hasToken = Boolean(process.env['VDS_UPSTREAM_AUTH'] || process.env['VDS_CONFIG_FILE']);
  const isFor = (/** @type {string} */ variable) => {
    if (!variable.startsWith('VDS_')) return variable !== 'HOST' && variable !== 'PORT';
    if (ofCommandLine.test(variable)) return hasToken && variable.startsWith('VDS_ACCESS_TOKEN');
    return variable.startsWith('VDS_SANDBOX_') === (name === 'sandbox');
  };
  return Object.fromEntries(Object.entries(process.env).filter(([variable]) => isFor(variable)));
}

/**
 * Ends both apps, waits until they are gone, then ends this process.
 * @param {number} code
 */
function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
  const gone = children.map((child) =>
    child.exitCode !== null || child.signalCode !== null
      ? undefined
      : new Promise((resolve) => child.once('exit', resolve)),
  );
  // In a turn of its own: whoever waits for an app that failed first says why.
  Promise.all(gone).then(() => setImmediate(() => process.exit(code)));
}

/**
 * A calendar day as the contract writes it, counted from the end of the week of the docs: in the last one, a vehicle may be on holiday.
 * @param {number} days
 */
function basicDate(days) {
  return new Date(Date.UTC(2026, 2, 9 + days)).toISOString().slice(0, 10).replaceAll('-', '');
}

async function main() {
  await import('./check-tools.js');
  if (!process.argv.includes('--no-build')) {
    await run('Installing…', 'npx', ['--yes', 'pnpm@12.21.0', 'install', '--frozen-lockfile']);
    await run('Building…', 'turbo', ['run', 'build']);
  }
  const { operations } = await import('../openapi/dist/index.js').catch(() => {
    throw new StartError('the contract is not built; run "npm start"');
  });
  const sandbox = await launch('sandbox', {});
  const proxy = await launch('proxy', { VDS_UPSTREAM_URL: sandbox });

  const { parameters, path } = operations.getDrivingData;
  const [brand] = parameters[0].rule.enum;
  const headers = { Brand: brand, Authorization: 'Bearer demo-access-token' };
  const signal = AbortSignal.timeout(listeningWithinMs);
  const list = await fetch(`${proxy}${operations.listVehicles.path}`, { headers, signal });
  if (!list.ok) throw new StartError(`the proxy responded ${list.status} to the list of vehicles`);
  const vin = (await list.json()).data.vehicles[0].vin;

  const curl = `curl -s ${Object.entries(headers)
    .map(([name, value]) => `-H '${name}: ${value}'`)
    .join(' ')}`;
  const { maxDays } = operations.getDrivingData.dateRange;
  const week = `'${proxy}${path.replace('{vin}', vin)}?startDate=${basicDate(-7)}&endDate=${basicDate(0)}'`;
  const tooLong = `'${proxy}${path.replace('{vin}', vin)}?startDate=${basicDate(-1 - maxDays)}&endDate=${basicDate(0)}'`;
  console.log(`
Sandbox  ${sandbox}  the service, playable
Proxy    ${proxy}  checks every request and forwards it
Docs     ${proxy}/docs/
Trips    ${sandbox}/sandbox/trips  lanes, bands and histograms of every trip

List the vehicles that share data:
  ${curl} ${proxy}${operations.listVehicles.path}
A week of driving data of one of them (the first 2,000 characters):
  ${curl} ${week} | head -c 2000
A range of ${maxDays + 2} days, rejected with 4002:
  ${curl} ${tooLong}

Ctrl-C stops both.`);
  if (!isWatching) return;
  const { watchSources } = await import('./watch-sources.js');
  const at = {
    sandbox: { VDS_SANDBOX_PORT: new URL(sandbox).port },
    proxy: { VDS_PORT: new URL(proxy).port, VDS_UPSTREAM_URL: sandbox },
  };
  watchSources(
    root,
    (folder, [program = '', ...parameters], signal) =>
      run(`Building ${folder}…`, program, parameters, `${root}${folder}`, signal),
    (app) => restart(app, at[app]),
  );
  console.log('Watching the sources.');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
// Killing npm leaves its scripts running; without its parent this one ends as well. npm starts it with `exec`, as its own child.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(0), parentPollMs).unref();
try {
  if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(help);
  else await main();
} catch (error) {
  if (!stopping || error instanceof StartError) console.error(error instanceof StartError ? error.message : error);
  stop(1);
}
