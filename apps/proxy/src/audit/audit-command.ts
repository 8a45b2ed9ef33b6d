import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { argumentsOf, type CommandOutput, vinHashKeyIn } from '../node/keys-command.js';
import { type ChainLink, chainStart, checkLine, headOf, linkBefore, rotateChain } from './chain.js';
import { now, OpenWithdrawals } from './entries.js';

export const auditUsage = `Usage: vds-proxy audit verify --audit-file FILE
       vds-proxy audit head --audit-file FILE
       vds-proxy audit rotate --audit-file FILE
verify checks that no line of the audit log was changed, inserted or removed, and names withdrawals without an outcome, and gaps.
head prints number and hash of the last entry: keep them on another machine, because lines missing at the end show by them alone.
rotate puts the file aside, as FILE.NUMBER, and continues its chain in a new one; the proxy may run meanwhile. A withdrawal that is under
way then has its outcome in the new file.
VDS_AUDIT_FILE names the file, too; VDS_VIN_HASH_KEY, or VDS_VIN_HASH_KEY_FILE, must be set as for the proxy.
`;

/** Runs a command of the audit log. Returns the exit code: for `verify`, 0 when the whole chain is good. */
export async function runAuditCommand(
  list: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
): Promise<number> {
  try {
    const { values, positionals } = argumentsOf('audit', list, ['audit-file']);
    const action = actions.get(positionals.join(' '));
    if (action === undefined) {
      output.result(auditUsage);
      return 1;
    }
    const path = String(values['audit-file'] ?? environment['VDS_AUDIT_FILE'] ?? '');
    if (path === '') throw new Error('--audit-file: must be set, or VDS_AUDIT_FILE');
    const key = vinHashKeyIn(environment);
    if (key === undefined || key === '') throw new Error('VDS_VIN_HASH_KEY: must be set, as for the proxy');
    output.result(await action(path, key));
    return 0;
  } catch (error) {
    output.say(
      error instanceof Error && !('code' in error) ? error.message : 'the audit log cannot be read or written',
    );
    return 1;
  }
}

const actions = new Map<string, (path: string, key: string) => Promise<string>>([
  ['verify', verify],
  ['head', async (path) => `${shown(await headOf(path))}\n`],
  ['rotate', async (path, key) => `put aside as ${await rotateChain(path, key, continuation())}\n`],
]);

/** The first entry of a file that continues another one. */
const continuation = () => ({ time: now(), kind: 'summary', since: now(), rejected: [] });

const shown = ({ number, hash }: ChainLink) => `entry ${number} has hash ${hash}`;

async function verify(path: string, key: string): Promise<string> {
  let first: ChainLink | null = null;
  let link: ChainLink = chainStart;
  const withdrawals = new OpenWithdrawals();
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    if (first === null) {
      first = linkBefore(line) ?? chainStart;
      link = first;
    }
    const checked = checkLine(line, link, key);
    if (typeof checked === 'string') throw new Error(`line ${link.number - first.number + 1} ${checked}`);
    link = checked;
    withdrawals.read(line);
  }
  const begin = first ?? chainStart;
  const lines = [`${link.number - begin.number} entries, all in their place; the last has hash ${link.hash}`];
  if (begin.number > 0) lines.push(`the file continues another one, whose last ${shown(begin)}`);
  for (const { requestId, time } of withdrawals.all())
    lines.push(`a withdrawal has no outcome: request ${requestId}, ${time}; it may have taken effect`);
  for (const { time, reason, lost, recovered } of withdrawals.gaps)
    lines.push(`gap at ${time} (${reason}): ${lost} entries are lost, ${recovered} were held and follow it`);
  return `${lines.join('\n')}\n`;
}
