import { readFileSync } from 'node:fs';
import { msPerDay } from '#kit/calendar.js';
import type { Environment } from '#kit/settings/read.js';
import { attempt } from '../attempt.js';
import { Accounting } from '../audit/accounting.js';
import { type AccountingForm, showAccounting } from '../audit/accounting-forms.js';
import { type ChainLink, headOf } from '../audit/chain.js';
import { OpenWithdrawals } from '../audit/entries.js';
import { type ChainKeys, readChain } from '../audit/read-chain.js';
import { continuation } from '../audit/segment-keeper.js';
import { closeSegment, pruneSegments } from '../audit/segments.js';
import { makeSigningKey, publicKeyOf, readPublicKeys, readSigner } from '../audit/signing-key.js';
import { type CommandEnvironment, commandEnvironment } from '../config/command-environment.js';
import { argumentsOf, type CommandOutput } from './keys-command.js';

export const auditUsage = `Usage: vds-proxy audit verify --audit-file FILE [--public-key FILE]
       vds-proxy audit who --audit-file FILE --vin VIN [--csv | --html | --json]
       vds-proxy audit head --audit-file FILE
       vds-proxy audit rotate --audit-file FILE [--signing-key FILE]
       vds-proxy audit prune --audit-file FILE --older-than 90d
       vds-proxy audit new-key --signing-key FILE
       vds-proxy audit public-key --signing-key FILE
verify checks that no byte of the audit log was changed, and no line inserted or removed, from the oldest file that is kept to the end. It
names withdrawals without an outcome, and gaps. With --public-key, every file that was put aside must have a good signature; this alone
needs no VDS_VIN_HASH_KEY.
who shows who has read the data of one vehicle: what, how often, and when last. --vin - reads the VIN from standard input, and --vin-file
FILE from a file. The VIN is never shown. --csv, --html and --json choose another form than a table. The log is verified on the way.
head prints number and hash of the last entry: keep them on another machine, because lines missing at the end show by them alone.
rotate puts the file aside, as FILE.NUMBER, and continues its chain in a new one; the proxy may run meanwhile. A withdrawal that is under
way then has its outcome in the new file.
prune deletes files that were put aside and whose last entry is older, and says so in the log.
new-key makes a key for signatures in a new file, and prints its public key; public-key prints that of a file.
--earlier-keys FILE names a file with the earlier values of VDS_VIN_HASH_KEY, one a line, oldest first, for verify and who.
VDS_AUDIT_FILE and VDS_AUDIT_SIGNING_KEY_FILE name files, too; VDS_VIN_HASH_KEY, or VDS_VIN_HASH_KEY_FILE, must be set as for the proxy.
`;

type Flags = Readonly<Record<string, string | boolean | undefined>>;

const flagNames = [
  'audit-file',
  'signing-key',
  'public-key',
  'earlier-keys',
  'older-than',
  'vin',
  'vin-file',
  'csv',
  'html',
  'json',
];

/** What a command of the audit log works with. */
class Task {
  readonly #flags: Flags;
  readonly #environment: CommandEnvironment;

  constructor(flags: Flags, environment: CommandEnvironment) {
    this.#flags = flags;
    this.#environment = environment;
  }

  /** @returns the text of a flag, or `undefined` */
  flag(name: string): string | undefined {
    const value = this.#flags[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  isSet(name: string): boolean {
    return this.#flags[name] === true;
  }

  get path(): string {
    const path = this.flag('audit-file') ?? this.#environment.auditFile ?? '';
    if (path === '') throw new Error('--audit-file: must be set, or VDS_AUDIT_FILE');
    return path;
  }

  /** The key of the log. */
  get key(): string {
    const key = this.#environment.vinHashKey();
    if (key === undefined || key === '') throw new Error('VDS_VIN_HASH_KEY: must be set, as for the proxy');
    return key;
  }

  /** All keys of the log, oldest first. */
  get keys(): readonly string[] {
    const file = this.flag('earlier-keys');
    const earlier = file === undefined ? [] : textOf(file, '--earlier-keys').split(/\s+/);
    return [...earlier.filter((key) => key !== ''), this.key];
  }

  /** Those of `verify`: with a public key, the keys of the log are not needed. */
  get chainKeys(): ChainKeys {
    const publicKey = this.flag('public-key');
    const publicKeys = publicKey === undefined ? null : readPublicKeys(publicKey, '--public-key');
    const hasKey = (this.#environment.vinHashKey() ?? '') !== '';
    return { keys: publicKeys !== null && !hasKey ? [] : this.keys, publicKeys };
  }

  get signer() {
    const flag = this.flag('signing-key');
    if (flag !== undefined) return readSigner(flag, '--signing-key');
    const path = this.#environment.signingKeyFile;
    return path ? readSigner(path, 'VDS_AUDIT_SIGNING_KEY_FILE') : null;
  }

  get signingKeyFile(): string {
    const path = this.flag('signing-key');
    if (path === undefined) throw new Error('--signing-key: must be set to a file');
    return path;
  }

  /** The VIN, from the arguments, standard input or a file. The text of no error repeats it. */
  get vin(): string {
    const [given, file] = [this.flag('vin'), this.flag('vin-file')];
    if ((given === undefined) === (file === undefined))
      throw new Error('--vin: must be set, or --vin-file, and not both');
    const text = given === '-' ? textOf(0, '--vin') : file === undefined ? (given ?? '') : textOf(file, '--vin-file');
    if (!/^[0-9A-Za-z]{17}$/.test(text))
      throw new Error(`--vin${file === undefined ? '' : '-file'}: must be one VIN of 17 letters and digits`);
    return text;
  }

  get olderThanDays(): number {
    const [, days] = /^([1-9]\d{0,4})d$/.exec(this.flag('older-than') ?? '') ?? [];
    if (days === undefined) throw new Error('--older-than: must be set to days, such as 90d');
    return Number(days);
  }

  get form(): AccountingForm {
    const [form = 'table', other] = (['csv', 'html', 'json'] as const).filter((each) => this.isSet(each));
    if (other !== undefined) throw new Error(`--${form}: must not be set together with --${other}`);
    return form;
  }
}

/** Runs a command of the audit log. Returns the exit code: for `verify`, 0 when the whole chain is good. */
export async function runAuditCommand(
  list: readonly string[],
  environment: Environment,
  output: CommandOutput,
): Promise<number> {
  try {
    const { values, positionals } = argumentsOf('audit', list, flagNames);
    const action = actions.get(positionals.join(' '));
    if (action === undefined) {
      output.result(auditUsage);
      return 1;
    }
    output.result(await action(new Task(values, commandEnvironment(environment))));
    return 0;
  } catch (error) {
    output.say(
      error instanceof Error && !('code' in error) ? error.message : 'the audit log cannot be read or written',
    );
    return 1;
  }
}

const actions = new Map<string, (task: Task) => string | Promise<string>>([
  ['verify', ({ path, chainKeys }) => verify(path, chainKeys)],
  ['who', (task) => who(task)],
  ['head', async ({ path }) => `${shown(await headOf(path))}\n`],
  [
    'rotate',
    async ({ path, key, signer }) => `put aside as ${await closeSegment(path, key, continuation(), signer)}\n`,
  ],
  [
    'prune',
    async ({ path, key, olderThanDays }) => {
      const count = await pruneSegments(path, key, Date.now() - olderThanDays * msPerDay);
      return `${count} ${count === 1 ? 'file is' : 'files are'} deleted\n`;
    },
  ],
  ['new-key', ({ signingKeyFile }) => makeSigningKey(signingKeyFile)],
  ['public-key', ({ signingKeyFile }) => publicKeyOf(signingKeyFile)],
]);

const shown = ({ number, hash }: ChainLink) => `entry ${number} has hash ${hash}`;

async function verify(path: string, keys: ChainKeys): Promise<string> {
  const withdrawals = new OpenWithdrawals();
  const { begin, end, closed, signed } = await readChain(path, keys, (line) => withdrawals.read(utf8(line)));
  const lines = [`${end.number - begin.number} entries, all in their place; the last has hash ${end.hash}`];
  if (begin.number > 0) {
    const pruned = withdrawals.prunes.find(({ through }) => through >= begin.number);
    lines.push(
      pruned === undefined
        ? `the file continues another one, whose last ${shown(begin)}`
        : `the entries up to ${begin.number} were deleted because of their age, says the entry of ${pruned.time}`,
    );
  }
  if (closed > 0) lines.push(`${closed} files were put aside; signatures checked: ${signed}`);
  if (keys.keys.length === 0) lines.push('without VDS_VIN_HASH_KEY, only what signatures cover was checked');
  for (const { requestId, time } of withdrawals.all())
    lines.push(`a withdrawal has no outcome: request ${requestId}, ${time}; it may have taken effect`);
  for (const { time, reason, lost, recovered } of withdrawals.gaps)
    lines.push(`gap at ${time} (${reason}): ${lost} entries are lost, ${recovered} were held and follow it`);
  return `${lines.join('\n')}\n`;
}

async function who(task: Task): Promise<string> {
  const { path, keys, vin, form } = task;
  const accounting = new Accounting(keys, vin);
  await readChain(path, { keys, publicKeys: null }, (line) => accounting.read(line));
  return showAccounting(accounting.result(), form);
}

const utf8 = (line: string) => Buffer.from(line, 'latin1').toString();

/** @param file a path, or 0 for standard input */
function textOf(file: string | number, name: string): string {
  const text = attempt(() => readFileSync(file, 'utf8').trim());
  if (text === null) throw new Error(`${name}: ${file === 0 ? 'standard input' : 'the file'} cannot be read`);
  return text;
}
