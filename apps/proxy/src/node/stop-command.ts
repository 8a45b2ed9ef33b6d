// `vds-proxy stop` and `vds-proxy resume`: an operator stops a client or a vehicle in every running process, and back.

import { readFileSync } from 'node:fs';
import { attempt } from '../attempt.js';
import { appendToChain, withChainLock } from '../audit/chain.js';
import { now } from '../audit/entries.js';
import { vinHash } from '../auth/client.js';
import { recordsIn } from '../auth/key-file.js';
import { fenceSecretFrom } from '../config/domain-options.js';
import {
  type AuditOptions,
  auditOptionsFrom,
  clientAuthFrom,
  servedBrandsFrom,
  storeOptionsFrom,
} from '../config/program-options.js';
import type { Settings, SettingValues } from '../config/settings.js';
import { clientName } from '../fence/block-names.js';
import { BlockSet } from '../fence/block-set.js';
import { blockText, liftText, newTag, timeOfTag } from '../fence/entries.js';
import type { Journal } from '../fence/journal.js';
import { namesWith } from '../fence/open-fence.js';
import { openStore } from './open-store.js';

export const stopUsage = `Usage: vds-proxy stop --client NAME [FLAGS]
       vds-proxy stop --vehicle VIN [--brand BRAND] [FLAGS]
       vds-proxy stop --vehicles-file FILE [--brand BRAND] [FLAGS]
       vds-proxy stop --list [--vehicle VIN] [FLAGS]
       vds-proxy resume, with the same arguments
       vds-proxy resume --withdrawn-before DATE [FLAGS]
stop ends what is under way for a client or a vehicle, and rejects what comes later with 403, in every running process within a second,
until resume. A withdrawal of consent (DELETE) still passes. NAME is the identifier of a client in the log, or the name of its API keys.
--vehicles-file names a file with one VIN a line; - reads them from standard input. Without --brand, all brands are meant.
--list shows what is stopped; with --vehicle, whether that vehicle is stopped, or fenced since its owner withdrew consent.
--withdrawn-before forgets withdrawals older than a date, such as 2026-01-31, which no list has lifted.
FLAGS are the settings of the proxy, of which VDS_STORE must be file or redis, and VDS_VIN_HASH_KEY must be set.
`;

interface StopOutput {
  result(text: string): void;
  say(line: string): void;
}

const ownFlags = ['client', 'vehicle', 'vehicles-file', 'brand', 'withdrawn-before'] as const;
type OwnFlags = Partial<Record<(typeof ownFlags)[number], string>> & { list?: true };

/** Takes the flags of the command out of a list of arguments; what is left are settings. @throws {Error} for one without a value */
export function stopFlags(list: readonly string[]): { readonly own: OwnFlags; readonly settings: readonly string[] } {
  const own: OwnFlags = {};
  const settings: string[] = [];
  for (let index = 0; index < list.length; index++) {
    const argument = list[index] ?? '';
    const [, name = '', joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const known = ownFlags.find((each) => each === name);
    if (name === 'list') own.list = true;
    else if (known === undefined) settings.push(argument);
    else {
      const value = joined ?? list[++index];
      if (value === undefined || value === '' || own[known] !== undefined)
        throw new Error(`--${name}: ${own[known] === undefined ? 'a value is missing' : 'given twice'}`);
      own[known] = value;
    }
  }
  return { own, settings };
}

/** Runs one of both commands. Returns the exit code. */
export async function runStopCommand(
  verb: 'stop' | 'resume',
  own: OwnFlags,
  settings: Settings,
  output: StopOutput,
): Promise<number> {
  let close = async () => {};
  try {
    const { values } = settings;
    const options = storeOptionsFrom(values);
    const isShared = options.kind === 'file' || options.kind === 'redis';
    if (!isShared) throw new Error('VDS_STORE: must be file or redis, or no running process would know of it');
    if (fenceSecretFrom(values) === undefined) throw new Error('VDS_VIN_HASH_KEY: must be set, as for the proxy');
    const { store, journal } = await openStore(options);
    close = () => store.close();
    if (journal === null) throw new Error('VDS_STORE: must be file or redis');
    return await new Stops(verb, own, values, journal, output).run();
  } catch (error) {
    const isOurs = error instanceof Error && /^(?:VDS_|--)/.test(error.message);
    output.say(isOurs ? error.message : 'the store cannot be reached; nothing has changed');
    return 1;
  } finally {
    await close().catch(() => {});
  }
}

/** What one name stands for. */
interface Target {
  readonly name: string;
  /** What the audit log says of it: a client, or the hash of a VIN with a brand. */
  readonly audited: object;
}

class Stops {
  readonly #verb: 'stop' | 'resume';
  readonly #own: OwnFlags;
  readonly #values: SettingValues;
  readonly #auditOptions: AuditOptions | null;
  readonly #journal: Journal;
  readonly #output: StopOutput;
  readonly #set = new BlockSet();

  constructor(verb: 'stop' | 'resume', own: OwnFlags, values: SettingValues, journal: Journal, output: StopOutput) {
    this.#verb = verb;
    this.#own = own;
    this.#values = values;
    this.#auditOptions = auditOptionsFrom(values);
    this.#journal = journal;
    this.#output = output;
  }

  async run(): Promise<number> {
    const { list, client, vehicle, 'vehicles-file': file, 'withdrawn-before': date } = this.#own;
    const given = [client, vehicle, file, date].filter((each) => each !== undefined);
    const isListing = list === true && this.#verb === 'stop' && client === undefined && file === undefined;
    if (!isListing && (given.length !== 1 || list === true || (date !== undefined && this.#verb === 'stop'))) {
      this.#output.result(stopUsage);
      return 1;
    }
    for (let isWhole = false; !isWhole; ) {
      const reading = await this.#journal.read();
      for (const text of reading.texts) this.#set.apply(text);
      isWhole = reading.isWhole;
    }
    if (isListing) return this.#list(vehicle);
    if (date !== undefined) return this.#forget(date);
    return this.#change(await this.#targets());
  }

  async #targets(): Promise<readonly Target[]> {
    const { client } = this.#own;
    if (client === undefined) return this.#vehicles();
    return this.#clientIds(client).map((id) => ({ name: clientName(id), audited: { client: id } }));
  }

  /** Identifiers of the clients that a name means. */
  #clientIds(name: string): readonly string[] {
    const auth = clientAuthFrom(this.#values);
    if (auth.kind === 'none') throw new Error('--client: clients are not told apart while VDS_CLIENT_AUTH is none');
    if (auth.kind === 'jwt') return [name];
    const found = recordsIn(auth.keysFile).filter((key) => key.id === name || key.name === name);
    if (found.length === 0) throw new Error('--client: no API key has this identifier or name');
    return found.map(({ id }) => id);
  }

  async #vehicles(): Promise<readonly Target[]> {
    const { vehicle, 'vehicles-file': file, brand } = this.#own;
    const served = servedBrandsFrom(this.#values);
    if (brand !== undefined && !served.includes(brand))
      throw new Error('--brand: must be a brand that the proxy serves');
    const names = namesWith(fenceSecretFrom(this.#values));
    const hashOf = vinHash(fenceSecretFrom(this.#values) ?? '');
    const targets = vinsOf(vehicle, file).flatMap((vin) =>
      (brand === undefined ? served : [brand]).map(
        async (each): Promise<Target> => ({
          name: await names.vehicle(each, vin),
          audited: { brand: each, vehicle: await hashOf(vin) },
        }),
      ),
    );
    return Promise.all(targets);
  }

  async #change(targets: readonly Target[]): Promise<number> {
    const tag = newTag(Date.now());
    const changes = targets.map(({ name, audited }, index) => {
      const held = this.#set.tags(['stop'], name, Number.POSITIVE_INFINITY);
      const texts =
        this.#verb === 'resume'
          ? held.map((each) => liftText(tag, each))
          : held.length === 0
            ? [blockText('stop', `${tag}.${index}`, name)]
            : [];
      return { texts, audited };
    });
    const real = changes.filter(({ texts }) => texts.length > 0);
    if (real.length === 0) {
      this.#output.say(this.#verb === 'stop' ? 'all of it is stopped already' : 'nothing of it is stopped');
      return this.#verb === 'stop' ? 0 : 1;
    }
    const isAudited = await this.#audit(real.map(({ audited }) => audited));
    if (!isAudited && this.#auditOptions?.isRequired)
      throw new Error('VDS_AUDIT_FILE: cannot be written; nothing has changed');
    await this.#journal.append(real.flatMap(({ texts }) => texts));
    if (!isAudited) this.#output.say('VDS_AUDIT_FILE: cannot be written, so the audit log has no entry of it');
    const count = real.length === 1 ? '1 entry' : `${real.length} entries`;
    const done = this.#verb === 'stop' ? 'stopped' : 'resumed';
    this.#output.say(`${done}: ${count}; every running process acts on it within a second`);
    return 0;
  }

  /** Notes what changes in the audit log, where there is one. Returns whether that is done. */
  async #audit(entries: readonly object[]): Promise<boolean> {
    if (this.#auditOptions === null) return true;
    const { file: path, hashKey: key } = this.#auditOptions;
    const noted = entries.map((entry) => ({ time: now(), kind: this.#verb, ...entry }));
    return withChainLock(path, () => appendToChain(path, key, noted)).then(
      () => true,
      () => false,
    );
  }

  async #list(vehicle: string | undefined): Promise<number> {
    const since = (tag: string) => new Date(timeOfTag(tag)).toISOString();
    const lines: string[] = [];
    if (vehicle !== undefined) {
      for (const { name, audited } of await this.#vehicles())
        for (const [kind, words] of [
          ['stop', 'stopped by an operator'],
          ['fence', 'fenced by a withdrawal'],
        ] as const)
          for (const tag of this.#set.tags([kind], name, Number.POSITIVE_INFINITY))
            lines.push(`${String(Reflect.get(audited, 'brand'))}  ${words} since ${since(tag)}`);
      this.#output.result(lines.length === 0 ? 'neither stopped nor fenced\n' : `${lines.join('\n')}\n`);
      return 0;
    }
    for (const { name, tag } of this.#set.stopped()) {
      const [kind = '', first = '', hash = ''] = name.split('/').map(decodeURIComponent);
      lines.push(`${kind === 'c' ? `client ${first}` : `vehicle ${hash} of ${first}`}  stopped since ${since(tag)}`);
    }
    lines.push(`${this.#set.blocks - this.#set.stops} withdrawals hold`);
    this.#output.result(`${lines.join('\n')}\n`);
    return 0;
  }

  async #forget(date: string): Promise<number> {
    const beforeMs = Date.parse(date);
    if (Number.isNaN(beforeMs)) throw new Error('--withdrawn-before: must be a date, such as 2026-01-31');
    const tags = this.#set.tags(['fence', 'full'], null, beforeMs);
    const isAudited = tags.length === 0 || (await this.#audit([{ withdrawnBefore: date, count: tags.length }]));
    if (!isAudited && this.#auditOptions?.isRequired)
      throw new Error('VDS_AUDIT_FILE: cannot be written; nothing has changed');
    const lift = newTag(Date.now());
    for (let index = 0; index < tags.length; index += 1000)
      await this.#journal.append(tags.slice(index, index + 1000).map((tag) => liftText(lift, tag)));
    this.#output.say(`${tags.length} withdrawals are forgotten`);
    return 0;
  }
}

const vinForm = /^[0-9A-Za-z]{17}$/;

function vinsOf(vehicle: string | undefined, file: string | undefined): readonly string[] {
  if (vehicle !== undefined) {
    if (!vinForm.test(vehicle)) throw new Error('--vehicle: must be a VIN of 17 letters and digits');
    return [vehicle];
  }
  const text = attempt(() => readFileSync(file === '-' ? 0 : (file ?? ''), 'utf8'));
  if (text === null) throw new Error('--vehicles-file: the file cannot be read');
  const vins = text.split(/\s+/).filter((vin) => vin !== '');
  if (vins.length === 0 || !vins.every((vin) => vinForm.test(vin)))
    throw new Error('--vehicles-file: must hold VINs of 17 letters and digits, one a line');
  return [...new Set(vins)];
}
