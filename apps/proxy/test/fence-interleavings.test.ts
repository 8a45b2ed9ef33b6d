// A seeded model of withdrawals, late responses, lists, events, replicas that crash, and a store that is away, loses replies or is emptied. It plays
// whole requests through the pipeline of each replica. `pnpm run prove:interleavings` makes 100,000 runs.

import { createHmac, hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ConsentEvents } from '../src/events/consent-events.js';
import type { QueuedEvent } from '../src/events/event-queue.js';
import { EventSecrets } from '../src/events/event-secrets.js';
import { QueueWriter } from '../src/events/queue-writer.js';
import { BlockNames } from '../src/fence/block-names.js';
import { blockText, liftText, newTag } from '../src/fence/entries.js';
import { Fence } from '../src/fence/fence.js';
import type { Journal, JournalReading } from '../src/fence/journal.js';
import { lookEveryMs, SharedBlocks } from '../src/fence/shared-blocks.js';
import type { UpstreamSink, UpstreamTransport } from '../src/forward/transport/upstream-transport.js';
import { Pipeline } from '../src/pipeline.js';
import type { ResponseWriter } from '../src/response/response-writer.js';
import { errorBody, successBody } from './support/servers.ts';
import { consent, locationOf } from './support/set-up.ts';

const runs = Number(process.env['VDS_MODEL_RUNS'] ?? 100);
const firstSeed = Number(process.env['VDS_MODEL_SEED'] ?? 1);

const vins = ['TESTVEHCLE0000001', 'TESTVEHCLE0000002'] as const;
const brand = 'brand_a';
/** Time in which all replicas know what one of them knows, in milliseconds. */
const knownMs = 1000;
/** Time after which a queue that has failed is not taken for slow any more, in milliseconds. */
const queueWellMs = 3000;
const secrets = new EventSecrets(`whsec_${Buffer.alloc(32).toString('base64')}`);

/** Random numbers that a seed repeats: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomFrom(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
  readonly unref: () => Timer;
}

/** Time that passes only when the model says so. */
class Clock {
  nowMs = 1000;
  #waiting: Timer[] = [];

  after(ms: number, run: () => void): Timer {
    const entry: Timer = { atMs: this.nowMs + ms, run, unref: () => entry };
    this.#waiting.push(entry);
    return entry;
  }

  cancel(entry: unknown): void {
    this.#waiting = this.#waiting.filter((each) => each !== entry);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await turn();
      this.#waiting.sort((one, other) => one.atMs - other.atMs);
      const next = this.#waiting[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting.shift();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = untilMs;
  }
}

/** The store of all replicas. */
class ModelStore {
  texts: string[] = [];
  generation = 0;
  away = false;
  /** Since when it can be reached. */
  upSinceMs = 0;
  /** When it last failed somebody. */
  troubleMs = 0;
  /** Events that wait for their receiver, by identifier. */
  events = new Map<string, QueuedEvent>();
  /** Vehicles that count as served. */
  served = new Set<string>();
}

class ModelJournal implements Journal {
  readonly #store: ModelStore;
  readonly #clock: Clock;
  readonly #random: () => number;
  #generation = -1;
  #read = 0;
  isAlive = true;

  constructor(store: ModelStore, clock: Clock, random: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
  }

  /** What a killed replica waits for never comes; what it sent may have arrived, also when the reply is lost. */
  async #travel<T>(act: () => T): Promise<T> {
    await this.#clock.wait(this.#random() * 30);
    if (this.#store.away) {
      this.#store.troubleMs = this.#clock.nowMs;
      await this.#clock.wait(this.#random() * 250);
      if (!this.isAlive) return new Promise(() => {});
      throw new Error('away');
    }
    const result = act();
    if (!this.isAlive) return new Promise(() => {});
    if (this.#random() < 0.02) {
      this.#store.troubleMs = this.#clock.nowMs;
      throw new Error('the reply is lost');
    }
    return result;
  }

  add(event: QueuedEvent): Promise<boolean> {
    return this.#travel(() => {
      if (!this.#store.events.has(event.id)) this.#store.events.set(event.id, event);
      return true;
    });
  }

  /** Notes that arrive at once: how long a note takes is not what the model is about. */
  note(hash: string): void {
    if (this.isAlive) this.#store.served.add(hash);
  }

  has(hash: string): Promise<boolean> {
    return this.#travel(() => this.#store.served.has(hash));
  }

  forget(hash: string): Promise<void> {
    return this.#travel(() => void this.#store.served.delete(hash));
  }

  async close(): Promise<void> {}

  append(texts: readonly string[]): Promise<void> {
    return this.#travel(() => {
      for (const text of texts) if (!this.#store.texts.includes(text)) this.#store.texts.push(text);
    });
  }

  async read(): Promise<JournalReading> {
    const found = await this.#travel(() => ({ generation: this.#store.generation, texts: [...this.#store.texts] }));
    const isWhole = found.generation !== this.#generation;
    const from = isWhole ? 0 : this.#read;
    [this.#generation, this.#read] = [found.generation, found.texts.length];
    return { texts: found.texts.slice(from), isWhole };
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }
}

interface Replica {
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly journal: ModelJournal;
  readonly startedMs: number;
}

/** A withdrawal or a stop of a vehicle. */
interface Block {
  readonly vin: string;
  readonly kind: 'fence' | 'stop';
  /** Who knows it from the beginning; `null` for the operator. */
  readonly replica: Replica | null;
  /** When its success had arrived at the replica: a list that was requested afterwards counts. */
  readonly succeededMs: number;
  /** When its success was sent to the client. */
  sinceMs: number;
  /** When a list that was requested afterwards and shows the vehicle had arrived, or when the operator resumed it. */
  overMs: number;
  /** Whether the only replica that knew it has crashed before the store was there long enough. */
  isLost: boolean;
}

/** The name under which a vehicle counts as served. */
const servedName = (vin: string) =>
  createHmac('sha256', 'k').update(`served ${brand} ${vin}`).digest('base64url').slice(0, 22);

async function runModel(seed: number) {
  const random = randomFrom(seed);
  const clock = new Clock();
  const store = new ModelStore();
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => clock.after(ms, run));
  vi.stubGlobal('clearTimeout', (entry: unknown) => clock.cancel(entry));
  // Not by a spy, which remembers every call.
  performance.now = () => clock.nowMs;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const wrong: string[] = [];
  const seen = {
    events: 0,
    ended: 0,
    madeUp: 0,
    withdrawals: 0,
    shown: 0,
    rejected: 0,
    cut: 0,
    lateLists: 0,
    lifted: 0,
  };
  const sharing = new Set<string>(vins);
  const blocks: Block[] = [];
  const ofOwnToken = seed % 2 === 0;
  const digest = (text: string) => hash('sha256', text, 'hex');
  // Where hashes take a turn, as with the web's own.
  const names = new BlockNames('s', seed % 3 === 0 ? async (text) => digest(text) : digest);

  /** Whether a replica must know a block at this moment. */
  const mustKnow = (block: Block, replica: Replica): boolean => {
    if (clock.nowMs < block.sinceMs || clock.nowMs >= block.overMs || block.isLost) return false;
    if (replica === block.replica) return true;
    const upMs = Math.max(store.upSinceMs, block.sinceMs);
    return !store.away && clock.nowMs - upMs > knownMs;
  };
  const shows = (replica: Replica, text: string, what: 'list' | 'data', requestedMs: number) => {
    // The list of a stopped vehicle passes, since it says who shares. So does one that was requested when the withdrawal had succeeded.
    const mayShow = (each: Block) => what === 'list' && (each.kind === 'stop' || requestedMs >= each.succeededMs);
    for (const vin of vins) {
      if (!text.includes(vin)) continue;
      seen.shown++;
      for (const each of blocks)
        if (each.vin === vin && !mayShow(each) && mustKnow(each, replica))
          wrong.push(
            `seed ${seed}: ${what} of ${vin} at ${replica.name}, ${clock.nowMs - each.sinceMs} ms after its ${each.kind}`,
          );
    }
  };
  /** @param sinceMs when others could know of it; by default, not yet */
  const block = (
    vin: string,
    kind: Block['kind'],
    replica: Replica | null,
    sinceMs = Number.POSITIVE_INFINITY,
  ): Block => {
    const made = {
      vin,
      kind,
      replica,
      succeededMs: clock.nowMs,
      sinceMs,
      overMs: Number.POSITIVE_INFINITY,
      isLost: false,
    };
    blocks.push(made);
    return made;
  };
  /** Withdrawals whose success has not been sent yet, by the identifier of the request. */
  const succeeded = new Map<string, readonly Block[]>();
  let requests = 0;
  let underWay = 0;

  /** The service: it gives data of every vehicle at any time, so that the fence alone holds it back. Its lists are right when they are made. */
  const transportOf = (replica: () => Replica): UpstreamTransport => ({
    keepsCoding: true,
    close() {},
    send({ method, target, headers }, sink: UpstreamSink) {
      let canceled = false;
      const requestedMs = clock.nowMs;
      const pieces = async (status: number, body: string, onLast: () => void = () => {}) => {
        const bytes = Buffer.from(body);
        if (canceled) return;
        sink.head({
          status,
          headers: ['content-type', 'application/json'],
          requestId: '',
          length: random() < 0.5 ? bytes.length : null,
        });
        for (let at = 0; at < bytes.length && !canceled; ) {
          const end =
            random() < 0.4 ? bytes.length : Math.min(bytes.length, at + 1 + Math.floor(random() * bytes.length));
          if (end === bytes.length) onLast();
          sink.data(bytes.subarray(at, end));
          at = end;
          if (at < bytes.length) await clock.wait(random() * 300);
        }
        if (!canceled) sink.end();
      };
      const respond = async () => {
        await clock.wait(random() * 300);
        const vin = vins.find((each) => target.includes(each));
        if (method === 'DELETE') {
          const fails = random() < 0.15;
          const named = vin === undefined ? vins : [vin];
          if (!fails || random() < 0.5) for (const each of named) sharing.delete(each);
          await clock.wait(random() * 300);
          const onLast = () =>
            succeeded.set(
              headers[headers.indexOf('x-request-id') + 1] ?? '',
              named.map((each) => block(each, 'fence', replica())),
            );
          return fails ? pieces(500, errorBody('5001')) : pieces(200, successBody({}), onLast);
        }
        if (vin === undefined) {
          const listed = [...sharing];
          await clock.wait(random() * 600);
          // It can lift only what was known to have succeeded before it was requested.
          const onLast = () => {
            for (const each of blocks)
              if (
                each.kind === 'fence' &&
                listed.includes(each.vin) &&
                each.succeededMs <= requestedMs &&
                each.overMs > clock.nowMs
              ) {
                each.overMs = clock.nowMs;
                seen.lifted++;
              }
          };
          return pieces(200, successBody({ vehicles: listed.map((each) => ({ vin: each })) }), onLast);
        }
        await clock.wait(random() * 600);
        return pieces(200, successBody({ first: vin, second: vin, third: vin }));
      };
      void respond();
      return {
        resume() {},
        cancel() {
          canceled = true;
        },
      };
    },
  });

  const replicas: Replica[] = [];
  const start = async (): Promise<void> => {
    const journal = new ModelJournal(store, clock, random);
    const shared = new SharedBlocks(journal);
    const writer = new QueueWriter({
      queue: journal,
      counts: { dropped: () => wrong.push(`seed ${seed}: an event was dropped`) },
      warnings: { raise() {}, clear() {} },
      say() {},
      onQueued() {},
    });
    const events = new ConsentEvents({ writers: [writer], served: journal, secrets, hashKey: 'k' });
    const fence = new Fence({
      ...{ names, blocks: shared, maxEntries: seed % 5 === 0 ? 2 : 1000 },
      onWithdrawn: (withdrawn) => events.withdrawn(withdrawn),
    });
    const pipeline = new Pipeline(
      {
        upstreamUrl: 'http://service.invalid',
        brands: [brand],
        allowStopAll: true,
        validateResponses: 'off',
        deadlineMs: 1e9,
        ...(ofOwnToken && { upstreamAuth: { kind: 'static', accessToken: 'own' } as const }),
      },
      { transport: transportOf(() => replica), fence, events },
    );
    await shared.readOnce();
    const replica: Replica = { name: `p${seed}.${clock.nowMs.toFixed(0)}`, pipeline, journal, startedMs: clock.nowMs };
    replicas.push(replica);
    const tick = async () => {
      if (!journal.isAlive) return;
      await shared.look();
      clock.after(lookEveryMs, () => void tick());
    };
    clock.after(random() * lookEveryMs, () => void tick());
  };

  const eventsNow = () =>
    [...store.events.values()].map(({ id, text }): { type: string; data: { requestId?: string; vin?: string } } =>
      JSON.parse(secrets.open(id, text) ?? ''),
    );
  /** Withdrawals that have succeeded at a replica. */
  const withdrawals: { readonly requestId: string; readonly replica: Replica }[] = [];
  const hasEvent = (requestId: string) => eventsNow().some(({ data }) => data.requestId === requestId);

  /** Plays a request; gives its status. */
  const play = (replica: Replica, method: 'GET' | 'DELETE', target: string): Promise<string> =>
    new Promise((resolve) => {
      let status = 0;
      let body = '';
      const requestedMs = clock.nowMs;
      const requestId = `r${++requests}`;
      const isList = method === 'GET' && target === consent;
      const out: ResponseWriter = {
        listen() {},
        begin: (begun) => {
          status = begun;
        },
        data(chunk) {
          const text = Buffer.from(chunk).toString();
          body += text;
          if (!replica.journal.isAlive) return true;
          if (method === 'DELETE' && status === 200) {
            seen.withdrawals++;
            withdrawals.push({ requestId, replica });
            // The queue was well: an event is there before the success leaves.
            if (clock.nowMs - store.troubleMs > queueWellMs && !hasEvent(requestId))
              wrong.push(`seed ${seed}: the success of ${requestId} left before its event was kept`);
            for (const each of succeeded.get(requestId) ?? []) each.sinceMs = Math.min(each.sinceMs, clock.nowMs);
          } else if (status === 200) {
            // A VIN in two pieces counts as well.
            const before = body.slice(0, -text.length).slice(-16);
            shows(replica, before + text, isList ? 'list' : 'data', requestedMs);
          }
          return true;
        },
        end() {
          if (status === 400) seen.rejected++;
          resolve(`${status} ${body}`);
        },
        cut() {
          seen.cut++;
          resolve('cut');
        },
      };
      const headers: Readonly<Record<string, string>> = { brand, authorization: 'Bearer owner' };
      const request = { method, target, requestId, peerAddress: '', header: (name: string) => headers[name] };
      underWay++;
      void replica.pipeline.handle(request, out).finally(() => underWay--);
    });

  // Some start together, the others in the course of it.
  const starting = [start(), start()];
  let hasStarted = false;
  void Promise.all(starting).then(() => {
    hasStarted = true;
  });
  while (!hasStarted) await clock.pass(50);
  const operator = new ModelJournal(store, clock, random);
  for (let step = 0; step < 22; step++) {
    const alive = replicas.filter(({ journal }) => journal.isAlive);
    const one = pick(alive);
    const vin = pick(vins);
    const dice = random();
    const isQuiet = !store.away && clock.nowMs - store.upSinceMs > knownMs;
    if (dice < 0.3) void play(one, 'GET', locationOf(vin));
    else if (dice < 0.5) void play(one, 'GET', consent);
    else if (dice < 0.7) void play(one, 'DELETE', ofOwnToken && random() < 0.3 ? consent : `${consent}?vin=${vin}`);
    else if (dice < 0.8) sharing.add(vin);
    else if (dice < 0.84 && alive.length < 4) void start();
    else if (dice < 0.87 && alive.length > 1) {
      one.journal.isAlive = false;
      for (const each of blocks)
        if (each.replica === one && (store.away || clock.nowMs - Math.max(each.sinceMs, store.upSinceMs) <= knownMs))
          each.isLost ||= store.away || store.upSinceMs > each.sinceMs - knownMs;
    } else if (dice < 0.91) {
      store.away = !store.away;
      store.upSinceMs = clock.nowMs;
    } else if (
      dice < 0.94 &&
      isQuiet &&
      blocks.every(({ sinceMs, succeededMs }) => clock.nowMs - Math.min(sinceMs, succeededMs) > 2 * knownMs)
    ) {
      store.texts = [];
      store.generation++;
      store.upSinceMs = clock.nowMs;
    } else if (isQuiet) {
      const name = await names.vehicle(brand, vin);
      const stops = blocks.filter((each) => each.kind === 'stop' && each.overMs > clock.nowMs && each.vin === vin);
      const tag = newTag(Math.floor(clock.nowMs));
      if (stops.length === 0) {
        const text = blockText('stop', tag, name);
        void operator.append([text]).then(
          () => block(vin, 'stop', null, clock.nowMs),
          () => {},
        );
      } else {
        const tags = store.texts.filter((text) => text.startsWith('stop ') && text.endsWith(name));
        for (const each of stops) each.overMs = clock.nowMs;
        void operator.append(tags.map((text) => liftText(tag, text.split(' ')[1] ?? ''))).catch(() => {});
      }
    }
    await clock.pass(random() < 0.7 ? random() * 200 : random() * 1500);
  }

  const ended = async (played: readonly Promise<string>[]): Promise<readonly string[]> => {
    let results: readonly string[] = [];
    void Promise.all(played).then((texts) => {
      results = texts;
    });
    for (let round = 0; results.length === 0 && round < 40; round++) await clock.pass(200);
    return results;
  };
  // In the end all is well again: the store is there, the operator stops nothing, the owner consents, and a list says so to all.
  store.away = false;
  store.upSinceMs = clock.nowMs;
  await clock.pass(1500);
  // Also what a withdrawal that was still under way has done.
  for (let round = 0; underWay > 0 && round < 40; round++) await clock.pass(200);
  await clock.pass(knownMs);
  await clock.pass(queueWellMs);
  for (const { requestId, replica } of withdrawals)
    if (replica.journal.isAlive && !hasEvent(requestId)) wrong.push(`seed ${seed}: the event of ${requestId} was lost`);
  seen.events += store.events.size;
  seen.ended += eventsNow().filter(({ type }) => type === 'vehicle.consent_ended').length;
  // What a replica that crashed took with it, a later request for the vehicle makes up for.
  for (const vin of vins) {
    const replica = pick(replicas.filter(({ journal }) => journal.isAlive));
    const before = store.events.size;
    let text = '';
    // A request whose look at the store fails leaves it to the next one.
    for (let attempt = 0; attempt < 5 && (attempt === 0 || store.served.has(servedName(vin))); attempt++) {
      [text = ''] = await ended([play(replica, 'GET', locationOf(vin))]);
      for (let round = 0; round < 20; round++) await clock.pass(500);
      if (!text.startsWith('400')) break;
    }
    seen.madeUp += store.events.size - before;
    if (text.startsWith('400') && text.includes('5006') && store.served.has(servedName(vin)))
      wrong.push(`seed ${seed}: no event says that the consent for ${vin} has ended`);
  }
  const stops = store.texts.filter((text) => text.startsWith('stop '));
  store.texts.push(...stops.map((text) => liftText(newTag(Math.floor(clock.nowMs)), text.split(' ')[1] ?? '')));
  for (const each of blocks) if (each.kind === 'stop') each.overMs = 0;
  const alive = replicas.filter(({ journal }) => journal.isAlive);
  for (const vin of vins) sharing.add(vin);
  const [listed] = await ended([play(pick(alive), 'GET', consent)]);
  if (!listed?.startsWith('200')) wrong.push(`seed ${seed}: the last list ended with ${listed}`);
  await clock.pass(knownMs);
  const last = await ended(alive.flatMap((replica) => vins.map((vin) => play(replica, 'GET', locationOf(vin)))));
  if (last.length === 0) wrong.push(`seed ${seed}: after the last list, a request did not end`);
  for (const text of last)
    if (!text.startsWith('200')) wrong.push(`seed ${seed}: after the last list, data ended with ${text}`);
  for (const { pipeline, journal } of replicas) {
    seen.lateLists += pipeline.fence.counts.lateLists;
    journal.isAlive = false;
  }
  return { wrong, seen };
}

it(`in ${runs} interleavings no byte of a withdrawn or stopped vehicle leaves, and a later list lifts the fence`, async () => {
  const { now } = performance;
  onTestFinished(() => {
    vi.unstubAllGlobals();
    performance.now = now;
  });
  const totals: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const { wrong, seen } = await runModel(seed);
    expect(wrong).toEqual([]);
    for (const [name, count] of Object.entries(seen)) totals[name] = (totals[name] ?? 0) + count;
    if (seed % 10_000 === 0) console.log(`seed ${seed}: ${JSON.stringify(totals)}`);
  }
  console.log(`seeds ${firstSeed} to ${firstSeed + runs - 1}: ${JSON.stringify(totals)}`);
  for (const name of ['events', 'withdrawals', 'shown', 'rejected', 'cut', 'lateLists', 'lifted'])
    expect(totals[name], name).toBeGreaterThan(runs / 20);
}, 36_000_000);
