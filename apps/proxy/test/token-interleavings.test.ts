// A seeded model of what happens to a refresh token: processes that start, crash and renew, a store that is emptied, and its clock.
// `pnpm run prove:interleavings` makes 100,000 runs.

import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Store, type Unlock } from '../src/store/memory-store.js';
import type { ManagedTokens } from '../src/upstream-token/managed-tokens.js';
import { tokensFor } from './support/settings.ts';

const runs = Number(process.env['VDS_MODEL_RUNS'] ?? 30);
const firstSeed = Number(process.env['VDS_MODEL_SEED'] ?? 1);

/** Random numbers that a seed repeats: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomFrom(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Time that passes only when the model says so. */
class Clock {
  nowMs = 0;
  #waiting: { atMs: number; run: () => void }[] = [];

  after(ms: number, run: () => void): void {
    this.#waiting.push({ atMs: this.nowMs + ms, run });
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await turn();
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

interface Process {
  readonly name: string;
  readonly tokens: ManagedTokens;
  alive: boolean;
  /** Newest token that it has given to a request. */
  knows: number;
}

async function runModel(seed: number): Promise<{ sent: number; emptied: number; wrong: string[] }> {
  const random = randomFrom(seed);
  const clock = new Clock();
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => clock.after(ms, run));
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(
    async (_, data) =>
      new Uint8Array(
        createHash('sha256')
          .update(new Uint8Array(data as ArrayBuffer))
          .digest(),
      ).buffer,
  );
  vi.spyOn(Math, 'random').mockImplementation(random);
  let aheadMs = 1e12;
  const texts = new Map<string, string>();
  const locks = new Map<string, { until: number }>();
  const processes: Process[] = [];
  const isAlive = (name: string) => processes.some((each) => each.name === name && each.alive);

  class ModelStore extends Store {
    override readonly canBeEmptied = true;
    readonly name: string;
    constructor(name: string) {
      super();
      this.name = name;
    }
    /** What a killed process waits for never comes; what it sent may have arrived. */
    async #travel<T>(act: () => T): Promise<T> {
      await clock.wait(random() * 20);
      const result = act();
      await clock.wait(random() * 20);
      return isAlive(this.name) ? result : new Promise<T>(() => {});
    }
    override read(key: string) {
      return this.#travel(() => texts.get(key) ?? null);
    }
    override write(key: string, text: string) {
      return this.#travel(() => void texts.set(key, text));
    }
    override lock(key: string, ttlMs: number): Promise<Unlock | null> {
      return this.#travel(() => {
        if ((locks.get(key)?.until ?? 0) > clock.nowMs) return null;
        const own = { until: clock.nowMs + ttlMs };
        locks.set(key, own);
        return () => this.#travel(() => void (locks.get(key) === own && locks.delete(key)));
      });
    }
    override nowMs() {
      return clock.nowMs + aheadMs;
    }
  }

  // The old refresh token is good until its successor, or the access token that came with it, is used.
  const wrong: string[] = [];
  let called = false;
  let [issued, issuedAtMs, used, sent, emptied] = [0, 0, 0, 0, 0];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const form = new URLSearchParams(body);
    await clock.wait(random() * 400);
    const number = Number(form.get('refresh_token')?.slice(1));
    sent++;
    if (number !== issued && number !== used)
      wrong.push(`seed ${seed}: r${number} after r${used} was used and r${issued} issued`);
    used = Math.max(used, number);
    if (number === issued) [issued, issuedAtMs] = [number + 1, clock.nowMs + 400];
    const text = { access_token: `a${number + 1}`, expires_in: 20, refresh_token: `r${number + 1}` };
    await clock.wait(random() * 400);
    return isAlive(form.get('client_secret') ?? '') ? Response.json(text) : new Promise(() => {});
  });

  const start = () => {
    const name = `p${processes.length}`;
    const settings = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'r0', VDS_CLIENT_SECRET: name };
    const more = { ...settings, VDS_TOKEN_TIMEOUT_MS: '1000' };
    const tokens = tokensFor('https://issuer.invalid', { store: new ModelStore(name), settings: more });
    const process: Process = { name, tokens, alive: true, knows: 0 };
    processes.push(process);
    const tick = () => {
      if (!process.alive) return;
      void tokens.look();
      clock.after(1000, tick);
    };
    tick();
  };
  const call = async (process: Process) => {
    const token = await process.tokens.obtain('brand_a');
    if (token === null || !process.alive) return;
    process.knows = Number(token.slice(1));
    used = Math.max(used, process.knows);
  };
  let safeToCrashMs = 0;
  start();
  for (let step = 0; step < 40; step++) {
    const alive = processes.filter((each) => each.alive);
    const one = alive[Math.floor(random() * alive.length)];
    const dice = random();
    // Whoever alone knows the newest has to live until the store has it again; a store that nobody can fill is lost. So is a token that
    // is lost before the others have had a look at it, which they have once a second; nobody can see the request for the very first.
    const isKnown = alive.some(({ knows }) => knows === issued);
    if (dice < 0.15 && alive.length < 4) start();
    else if (dice < 0.25 && alive.length > 1 && clock.nowMs > safeToCrashMs && one !== undefined) one.alive = false;
    else if (dice < 0.4 && isKnown && clock.nowMs > issuedAtMs + 1100 && (issued > 0 || !called)) {
      texts.clear();
      locks.clear();
      emptied++;
      safeToCrashMs = clock.nowMs + 4000;
    } else if (dice < 0.45) aheadMs += (random() - 0.5) * 20_000;
    else if (one !== undefined) {
      called = true;
      void call(one);
    }
    await clock.pass(random() < 0.5 ? random() * 500 : random() * 8000);
  }
  for (const each of processes) each.alive = false;
  return { sent, emptied, wrong };
}

it(`no used refresh token is sent in ${runs} interleavings of processes, crashes, an emptied store and its clock`, async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const totals = { sent: 0, emptied: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const { sent, emptied, wrong } = await runModel(seed);
    expect(wrong).toEqual([]);
    totals.sent += sent;
    totals.emptied += emptied;
  }
  expect(totals.sent).toBeGreaterThan(runs);
  expect(totals.emptied).toBeGreaterThan(runs);
}, 36_000_000);
