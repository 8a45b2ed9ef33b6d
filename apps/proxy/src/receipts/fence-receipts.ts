// Receipts of withdrawals in a folder. One is issued once the fence stands where all processes look, and before the client has the success.
import { access, constants, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Counter, Gauge, type Registry } from 'prom-client';
import { makeFile, replaceFile, syncFolder } from '#kit/replace-file.js';
import { vinHash } from '../auth/client.js';
import type { Withdrawn } from '../fence/fence.js';
import type { Warnings } from '../observability/warnings.js';
import { lastTries } from '../store/last-tries.js';
import { makeFolder } from '../store/make-folder.js';
import { type FencedVehicle, type ReceiptKey, readReceiptKey, receiptText } from './receipt.js';

/** Receipts that wait for the store or the disk. */
const maxWaiting = 1000;
const retryMs = 500;
/** Time for which the success of a withdrawal waits for its receipt, in milliseconds. */
const patienceMs = 1000;

/** After so long, whoever wrote a draft of a receipt is gone, in milliseconds. */
const draftMs = 60_000;

const failingWarning =
  'VDS_RECEIPTS_DIR: receipts cannot be written; they wait in memory, which a crash loses, and withdrawals continue';

/** Where receipts are issued. */
export interface ReceiptsOptions {
  readonly folder: string;
  /** File of the private key. */
  readonly keyFile: string;
  /** Secret of the hashes of VINs. */
  readonly hashKey: string;
}

/** A receipt that waits, and whether the fence stands by now. */
interface Waiting {
  readonly vehicle: FencedVehicle;
  readonly isKept: () => boolean;
  readonly issued: () => void;
  /** Whether it has a name in the folder: where the disk fails after that, another try gives it no second one. */
  isNamed: boolean;
}

export class FenceReceipts {
  readonly #folder: string;
  readonly #key: ReceiptKey;
  readonly #hashOf: (vin: string) => Promise<string>;
  readonly #warnings: Pick<Warnings, 'raise' | 'clear'>;
  readonly #say: (line: string) => void;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly counts = { issued: 0, lost: 0 };

  private constructor(
    folder: string,
    key: ReceiptKey,
    hashKey: string,
    warnings: Pick<Warnings, 'raise' | 'clear'>,
    say: (line: string) => void,
  ) {
    this.#folder = folder;
    this.#key = key;
    this.#hashOf = vinHash(hashKey);
    this.#warnings = warnings;
    this.#say = say;
    this.#timer = setInterval(() => void this.#flush(), retryMs).unref();
  }

  /**
   * Opens the folder of receipts. The public key is put beside them.
   *
   * @throws {Error} when folder or key cannot be used; the text names the setting
   */
  static async open(
    { folder, keyFile, hashKey }: ReceiptsOptions,
    softwareVersion: string,
    warnings: Pick<Warnings, 'raise' | 'clear'>,
    say: (line: string) => void,
  ): Promise<FenceReceipts> {
    const key = readReceiptKey(keyFile, softwareVersion);
    try {
      await makeFolder(folder);
      await access(folder, constants.W_OK);
      await replaceFile(join(folder, `${key.thumbprint}.pem`), key.publicKey);
      await removeDrafts(folder);
    } catch {
      throw new Error('VDS_RECEIPTS_DIR: the folder cannot be made, read or written');
    }
    return new FenceReceipts(folder, key, hashKey, warnings, say);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Issues the receipt of a withdrawal. Resolves when it is written, or after a second: then it follows. Never rejects. */
  async issue({ brand, vin, owner, tag, timeMs, isKept }: Withdrawn): Promise<void> {
    const pseudonym = vin === '' ? `all${owner === '' ? '' : `-${owner}`}` : await this.#hashOf(vin);
    const vehicle = { recordId: `fence-${tag}`, pseudonym, brand, withdrawnMs: timeMs };
    if (this.#waiting.length >= maxWaiting) return this.#lose([vehicle]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = new Promise<void>((resolve) => {
      this.#waiting.push({ vehicle, isKept, issued: resolve, isNamed: false });
      timer = setTimeout(resolve, patienceMs);
    });
    void this.#flush();
    await done;
    clearTimeout(timer);
  }

  /** Issues what waits, as far as that takes no longer than three seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await lastTries(
      () => this.#flush(),
      () => this.#waiting.length,
    );
    this.#lose(this.#waiting.map(({ vehicle }) => vehicle));
  }

  /** Adds what is counted to the metrics of a proxy. */
  measure(registry: Registry): void {
    const { counts } = this;
    const waiting = () => this.waiting;
    new Counter({
      name: 'vds_proxy_receipts_total',
      help: 'Receipts of withdrawals, by outcome: issued or lost.',
      labelNames: ['outcome'],
      registers: [registry],
      collect() {
        this.reset();
        for (const outcome of ['issued', 'lost'] as const) this.inc({ outcome }, counts[outcome]);
      },
    });
    new Gauge({
      name: 'vds_proxy_receipts_waiting',
      help: 'Receipts that wait for the store of the fence, or for the disk.',
      registers: [registry],
      collect() {
        this.set(waiting());
      },
    });
  }

  #flush(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (let one = this.#nextKept(); one !== undefined; one = this.#nextKept()) {
      try {
        if (!one.isNamed) await this.#write(one.vehicle);
        one.isNamed = true;
        // Before the success: a power failure may not take the number back and give it to another receipt.
        await syncFolder(this.#folder);
      } catch {
        this.#warnings.raise('receipts', failingWarning);
        return;
      }
      this.#waiting = this.#waiting.filter((each) => each !== one);
      this.counts.issued++;
      this.#warnings.clear('receipts');
      one.issued();
    }
  }

  /** A fence that only this process knows of is none to sign for. */
  #nextKept = () => this.#waiting.find(({ isKept }) => isKept());

  async #write(vehicle: FencedVehicle): Promise<void> {
    const pathOf = (generation: number) =>
      join(this.#folder, `${vehicle.brand}-${vehicle.pseudonym}-${generation}.json`);
    let generation = await firstFree(pathOf);
    // Of replicas that share the folder, one has the number.
    while (!(await makeFile(pathOf(generation), receiptText(vehicle, generation, Date.now(), this.#key)))) generation++;
  }

  #lose(vehicles: readonly FencedVehicle[]): void {
    for (const { recordId } of vehicles) {
      this.counts.lost++;
      this.#say(`error: the receipt ${recordId} could not be issued; the withdrawal itself holds`);
    }
  }
}

/**
 * The first number of a vehicle that no file has. Numbers follow one another, so that a few looks find it, however many receipts of other
 * vehicles the folder has.
 */
async function firstFree(pathOf: (generation: number) => string): Promise<number> {
  const isTaken = (generation: number) =>
    access(pathOf(generation)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return false;
      },
    );
  let [taken, free] = [0, 1];
  while (await isTaken(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** What killed processes have left of receipts that got no name. Those of another process that is at it are younger. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\.[0-9a-f-]{36}\.json|\.json\.[0-9a-f-]{36}\.tmp$/.test(name)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > draftMs) await unlink(join(folder, name)).catch(() => {});
  }
}
