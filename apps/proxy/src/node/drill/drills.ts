// What `vds-proxy check --drill` breaks, and which promises have to hold meanwhile.
import { once } from 'node:events';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { appendToChain } from '../../audit/chain.js';
import { OpenWithdrawals } from '../../audit/entries.js';
import { readChain } from '../../audit/read-chain.js';
import { tokensFrom } from '../../config/domain-options.js';
import { fullLog, refreshTokenEnvironment, scratchKey } from '../../config/drill-environment.js';
import { auditOptionsFrom } from '../../config/program-options.js';
import type { Settings } from '../../config/settings.js';
import { contractBrands, servedOperations } from '../../contract.js';
import { limitFiles, Scratch, type ScratchOptions } from './scratch.js';

/** What came of a drill: nothing, or what did not hold; or why it was not tried. */
type Outcome =
  | { readonly isTried: true; readonly broken: string | null }
  | { readonly isTried: false; readonly why: string };

const held: Outcome = { isTried: true, broken: null };
const broken = (text: string): Outcome => ({ isTried: true, broken: text });
const notTried = (why: string): Outcome => ({ isTried: false, why });

interface Drill {
  readonly promise: string;
  readonly run: (scratch: Scratch) => Promise<Outcome>;
}

const [brand = ''] = contractBrands();
const vin = 'DR1LLVEHCLE000001';
const [withdrawal] = servedOperations.filter(({ wideEffect }) => wideEffect !== null);
const consentPath = withdrawal?.path ?? '';
const withdrawalPath = `${consentPath}?vin=${vin}`;
const goodBody = '{"data":{},"meta":{}}';

const drills: readonly Drill[] = [
  { promise: 'a log that nobody reads stops neither a request nor the end of the program', run: stallLog },
  { promise: 'on a full disk no withdrawal is without an entry in the audit log', run: fillDisk },
  {
    promise: 'a withdrawal whose process is killed has its intent in the audit log, and is sent once',
    run: killInDelete,
  },
  { promise: 'no used refresh token is sent again when the store is emptied and a process is added', run: emptyStore },
];

/** Runs all drills, and says a line for each. Returns whether all that were tried held. */
export async function runDrills(
  settings: Settings,
  write: (line: string) => void,
  options: ScratchOptions = {},
): Promise<boolean> {
  let allHeld = true;
  for (const { promise, run } of drills) {
    const scratch = await Scratch.open(settings, options);
    try {
      const outcome = await run(scratch);
      if (!outcome.isTried) write(`not tried: ${promise}: ${outcome.why}\n`);
      else if (outcome.broken === null) write(`held: ${promise}\n`);
      else write(`NOT HELD: ${promise}: ${outcome.broken}\n`);
      if (outcome.isTried && outcome.broken !== null) allHeld = false;
    } catch {
      allHeld = false;
      write(`NOT HELD: ${promise}: the scratch copy of the program did not start, or ended\n`);
    } finally {
      await scratch.close();
    }
  }
  return allHeld;
}

/** More lines than a pipe, and the megabyte that waits, hold together. */
const manyLines = 9000;

async function stallLog(scratch: Scratch): Promise<Outcome> {
  const upstream = await scratch.standIn(
    (_, response) => void response.setHeader('content-type', 'application/json').end(goodBody),
  );
  const proxy = await scratch.start(upstream, fullLog, false);
  const flood = connect(proxy.port, '127.0.0.1');
  await once(flood, 'connect');
  let bytes = 0;
  flood
    .on('error', () => {})
    .on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
  flood.write('GET /no-such-path HTTP/1.1\r\nHost: drill\r\n\r\n'.repeat(manyLines));
  if (!(await scratch.until(() => bytes > manyLines * 100))) return broken('requests wait for the log');
  flood.destroy();
  if ((await proxy.call('GET', consentPath, brand)) !== 200) return broken('a request got no good response');
  return (await proxy.end('SIGTERM')) === 0 ? held : broken('the program did not end by itself');
}

const noAudit = 'VDS_AUDIT_FILE is not set, so withdrawals are noted nowhere';

async function fillDisk(scratch: Scratch): Promise<Outcome> {
  const audit = auditOptionsFrom(scratch.settings.values);
  if (audit === null) return notTried(noAudit);
  const { isRequired } = audit;
  const file = scratch.auditFile;
  // More than the room that the program has beside the log, which a limit of this size leaves alone.
  await appendToChain(file, scratchKey, Array(300).fill({ kind: 'summary', rejected: [], padding: 'x'.repeat(1000) }));
  const { size } = await stat(file);
  let sent = 0;
  const upstream = await scratch.standIn((request, response) => {
    if (request.method === withdrawal?.method) sent++;
    response.setHeader('content-type', 'application/json').end(goodBody);
  });
  const proxy = await scratch.start(upstream, {});
  try {
    await limitFiles(proxy.pid, size);
  } catch {
    return notTried('this system has no prlimit, with which a disk is filled');
  }
  const statuses = [];
  for (let index = 0; index < 3; index++) statuses.push(await proxy.call('DELETE', withdrawalPath, brand));
  if (isRequired && sent > 0)
    return broken('a withdrawal was sent that could not be noted, though VDS_AUDIT_REQUIRED is on');
  if (!isRequired && statuses.some((status) => status !== 200)) return broken('a withdrawal was not sent');
  await limitFiles(proxy.pid, 'unlimited');
  const written = async () => (await entriesIn(file)).intents >= sent;
  if (!(await scratch.until(written))) return broken('entries were not written when there was room again');
  if ((await proxy.end('SIGTERM')) !== 0) return broken('the program did not end by itself');
  const { intents, open } = await entriesIn(file);
  return intents >= sent && open === 0
    ? held
    : broken(`${sent} were sent, ${intents} noted, ${open} without an outcome`);
}

async function killInDelete(scratch: Scratch): Promise<Outcome> {
  if (auditOptionsFrom(scratch.settings.values) === null) return notTried(noAudit);
  const file = scratch.auditFile;
  let sent = 0;
  // It never responds.
  const upstream = await scratch.standIn(() => {
    sent++;
  });
  const proxy = await scratch.start(upstream, {});
  const call = proxy.call('DELETE', withdrawalPath, brand);
  await scratch.until(() => sent > 0);
  await proxy.end('SIGKILL');
  await call;
  // The next process repairs what was left.
  const next = await scratch.start(upstream, {});
  await next.end('SIGTERM');
  const { intents, open } = await entriesIn(file);
  if (sent !== 1) return broken(`it was sent ${sent} times`);
  return intents === 1 && open === 1 ? held : broken('the audit log does not name it');
}

/** Checks an audit log. Gives how many withdrawals it has, and how many of them have no outcome; none of a log that is not good. */
async function entriesIn(file: string) {
  const withdrawals = new OpenWithdrawals();
  let intents = 0;
  const read = (line: string) => {
    if (line.includes('"kind":"intent"')) intents++;
    withdrawals.read(line);
  };
  try {
    await readChain(file, { keys: [scratchKey], publicKeys: null }, read);
  } catch {
    return { intents: 0, open: 0 };
  }
  return { intents, open: [...withdrawals.all()].length };
}

async function emptyStore(scratch: Scratch): Promise<Outcome> {
  if (![...tokensFrom(scratch.settings).values()].some(({ grant }) => grant === 'refresh-token'))
    return notTried('no refresh token is used (VDS_TOKEN_GRANT)');
  const folder = join(scratch.folder, 'store');
  await mkdir(folder, { mode: 0o700 });
  const seen: string[] = [];
  const issuer = await scratch.standIn((_, response, body) => {
    const number = seen.push(new URLSearchParams(body).get('refresh_token') ?? '');
    const token = {
      access_token: `access-${number}`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: `refresh-${number}`,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(token));
  });
  const upstream = await scratch.standIn(
    (_, response) => void response.setHeader('content-type', 'application/json').end(goodBody),
  );
  const start = () => scratch.start(upstream, refreshTokenEnvironment(brand, issuer, folder));
  const first = await start();
  if ((await first.call('GET', consentPath, brand)) !== 200) return broken('a request got no good response');
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  const isBack = async () => (await readdir(folder)).some((name) => name.endsWith('.json'));
  if (!(await scratch.until(isBack))) return broken('the process that has the newest token does not write it back');
  const second = await start();
  await second.call('GET', consentPath, brand);
  await first.end('SIGTERM');
  await second.end('SIGTERM');
  return new Set(seen).size === seen.length ? held : broken('a used token was sent again');
}
