// What is blocked, in a Durable Object, and how isolates read it there.

import type { Journal, JournalReading } from '../fence/journal.js';
import type { BlockQuestion, BlockReply } from './block-question.js';
import { ask, type StateNamespace } from './state-client.js';

interface TextStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
}

/** Texts in one value of the storage, each at most 128 kB. */
const perValue = 250;
const headKey = 'blocks';

/** The texts of the object that keeps them. */
export class BlockObject {
  readonly #storage: TextStorage;
  #texts: string[] | null = null;
  #known = new Set<string>();
  #generation = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** One after the other. */
  reply(question: BlockQuestion): Promise<BlockReply> {
    const next = this.#last.then(() => this.#reply(question));
    this.#last = next.catch(() => {
      // What is in the storage counts.
      this.#texts = null;
    });
    return next;
  }

  async #reply({ add, remove, generation, from }: BlockQuestion): Promise<BlockReply> {
    const texts = this.#texts ?? (await this.#load());
    if (remove.length > 0) await this.#remove(texts, new Set(remove));
    if (add.length > 0) await this.#add(add);
    const all = this.#texts ?? [];
    const isKnown = generation === this.#generation && from <= all.length;
    const start = isKnown ? from : 0;
    return { generation: this.#generation, from: start, texts: all.slice(start) };
  }

  async #load(): Promise<string[]> {
    const head = await this.#storage.get(headKey);
    const [generation = '', count = 0] = Array.isArray(head) ? (head as [string?, number?]) : [];
    const texts: string[] = [];
    for (let value = 0; value * perValue < count; value++) {
      const kept = await this.#storage.get(this.#keyOf(generation, value));
      if (Array.isArray(kept)) texts.push(...kept.filter((each) => typeof each === 'string'));
    }
    this.#generation = generation === '' ? crypto.randomUUID() : generation;
    this.#use(texts);
    return texts;
  }

  #use(texts: string[]): void {
    this.#texts = texts;
    this.#known = new Set(texts);
  }

  async #add(add: readonly string[]): Promise<void> {
    const texts = this.#texts ?? [];
    const start = texts.length;
    for (const text of add) if (!this.#known.has(text)) texts.push(text);
    for (const text of texts.slice(start)) this.#known.add(text);
    if (texts.length > start) await this.#keep(texts, Math.floor(start / perValue));
  }

  async #remove(texts: readonly string[], gone: ReadonlySet<string>): Promise<void> {
    this.#generation = crypto.randomUUID();
    const left = texts.filter((text) => !gone.has(text));
    this.#use(left);
    await this.#keep(left, 0);
  }

  /** Writes the texts from a value on, and then how many there are. */
  async #keep(texts: readonly string[], firstValue: number): Promise<void> {
    for (let value = firstValue; value * perValue < texts.length; value++)
      await this.#storage.put(
        this.#keyOf(this.#generation, value),
        texts.slice(value * perValue, (value + 1) * perValue),
      );
    await this.#storage.put(headKey, [this.#generation, texts.length]);
  }

  #keyOf(generation: string, value: number): string {
    return `blocks ${generation} ${value}`;
  }
}

/** Time for the object to respond, in milliseconds: half a second. */
const timeoutMs = 500;

/** The journal of an isolate. */
export class ObjectJournal implements Journal {
  readonly #namespace: StateNamespace;
  #generation = '';
  #count = 0;

  constructor(namespace: StateNamespace) {
    this.#namespace = namespace;
  }

  async append(texts: readonly string[]): Promise<void> {
    await this.#ask(texts, []);
  }

  async read(): Promise<JournalReading> {
    const { generation, from, texts } = await this.#ask([], []);
    const isWhole = generation !== this.#generation;
    this.#generation = generation;
    // Another request of this isolate may have read on meanwhile.
    this.#count = isWhole ? from + texts.length : Math.max(this.#count, from + texts.length);
    return { texts, isWhole };
  }

  async remove(texts: readonly string[]): Promise<void> {
    await this.#ask([], texts);
  }

  async #ask(add: readonly string[], remove: readonly string[]): Promise<BlockReply> {
    const question = { kind: 'blocks', add, remove, generation: this.#generation, from: this.#count } as const;
    const reply = await ask<BlockReply>(this.#namespace, 'blocks', question, timeoutMs);
    if (reply === null) throw new Error('the object did not respond');
    return reply;
  }
}
