// Starts the sandbox and the proxy in front of it, says where they are, and stops both on Ctrl-C.
// Plain JavaScript, so that a Node too old for TypeScript still gets as far as a clear message.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const listeningWithinMs = 15_000;

/** A failure that one line explains; its stack would add nothing. */
class StartError extends Error {}

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
let stopping = false;

/**
 * Starts an app and resolves with the address that it prints once it listens.
 * @param {string} name
 * @param {Record<string, string>} environment
 * @returns {Promise<string>}
 */
function launch(name, environment) {
  const program = fileURLToPath(new URL(`../apps/${name}/dist/node.js`, import.meta.url));
  if (!existsSync(program)) throw new StartError(`${name} is not built; run "npm start" instead of this script`);
  const child = spawn(process.execPath, [program], {
    env: { ...environmentOf(name), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(
      () => reject(new StartError(`${name} did not listen within ${listeningWithinMs} ms`)),
      listeningWithinMs,
    );
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const address = /listening on (http:\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new StartError(said.trim().split('\n').at(-1) || `${name} ended with code ${code}`));
      if (!stopping) stop(1);
    });
  });
}

/**
 * What the environment says to one app. HOST and PORT name one server, and here there are two.
 * @param {string} name
 */
function environmentOf(name) {
  const own = (/** @type {string} */ variable) => variable.startsWith('VDS_SANDBOX_') === (name === 'sandbox');
  const kept = Object.entries(process.env).filter(
    ([variable]) => variable !== 'HOST' && variable !== 'PORT' && (!variable.startsWith('VDS_') || own(variable)),
  );
  return Object.fromEntries(kept);
}

/**
 * Ends both apps, waits until they are gone, then ends this process.
 * @param {number} code
 */
function stop(code) {
  if (stopping) return;
  stopping = true;
  const gone = children.map((child) =>
    child.exitCode !== null || child.signalCode !== null
      ? undefined
      : new Promise((resolve) => child.once('exit', resolve)),
  );
  // Ctrl-C in a terminal reaches the children too; a second signal would cut their draining short.
  const fromTerminal = code === 0 && process.stdin.isTTY === true;
  if (!fromTerminal) for (const child of children) child.kill('SIGTERM');
  Promise.all(gone).then(() => process.exit(code));
}

/**
 * A calendar day as the contract writes it, counted from today in UTC.
 * @param {number} daysFromToday
 */
function basicDate(daysFromToday) {
  const day = new Date(Date.now() + daysFromToday * 86_400_000);
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

async function main() {
  const { operations } = await import('../openapi/dist/index.js').catch(() => {
    throw new StartError('the contract is not built; run "npm start" instead of this script');
  });
  const sandbox = await launch('sandbox', {});
  const proxy = await launch('proxy', { VDS_UPSTREAM_URL: sandbox });

  const { parameters, path } = operations.getDrivingData;
  const [brand] = parameters[0].rule.enum;
  const headers = { Brand: brand, Authorization: 'Bearer demo-access-token' };
  const list = await fetch(`${proxy}${operations.listVehicles.path}`, {
    headers,
    signal: AbortSignal.timeout(listeningWithinMs),
  });
  if (!list.ok) throw new StartError(`the proxy answered ${list.status} to the list of vehicles`);
  const vin = (await list.json()).data.vehicles[0].vin;

  const curl = `curl -s ${Object.entries(headers)
    .map(([name, value]) => `-H '${name}: ${value}'`)
    .join(' ')}`;
  const week = `'${proxy}${path.replace('{vin}', vin)}?startDate=${basicDate(-7)}&endDate=${basicDate(0)}'`;
  const tooLong = `'${proxy}${path.replace('{vin}', vin)}?startDate=${basicDate(-8)}&endDate=${basicDate(0)}'`;
  console.log(`
Sandbox  ${sandbox}  the service, playable
Proxy    ${proxy}  checks every call and forwards it
Docs     ${proxy}/docs

List the vehicles that share data:
  ${curl} ${proxy}${operations.listVehicles.path}
A week of driving data of one of them (the first 2,000 characters):
  ${curl} ${week} | head -c 2000
A range of 8 days, refused with 4002:
  ${curl} ${tooLong}

Ctrl-C stops both.`);
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
try {
  await main();
} catch (error) {
  if (!stopping || error instanceof StartError) console.error(error instanceof StartError ? error.message : error);
  stop(1);
}
