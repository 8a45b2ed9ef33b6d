import type { Cluster, Redis } from 'ioredis';
import * as v from 'valibot';
import type { Journal, JournalReading } from './journal.js';

// A sorted set: each text once, with the time of its adding by the clock of Redis, always later than that of the one before.

const addScript = `
local time = redis.call('time')
local score = time[1] * 1000000 + time[2]
local last = redis.call('zrevrange', KEYS[1], 0, 0, 'withscores')
if last[2] and tonumber(last[2]) >= score then score = tonumber(last[2]) + 1 end
for _, text in ipairs(ARGV) do
  if not redis.call('zscore', KEYS[1], text) then
    redis.call('zadd', KEYS[1], string.format('%.0f', score), text)
    score = score + 1
  end
end`;

const pageSize = 5000;
const page = v.tuple([v.array(v.string()), v.number()]);

/** The texts in Redis. */
export class RedisJournal implements Journal {
  readonly #redis: Redis | Cluster;
  readonly #key: string;
  /** The time of the last text that was read, and how many texts were read: fewer or more in Redis means that some were removed or lost. */
  #last = '0';
  #count = 0;
  #isFirst = true;
  /** Texts that were added here and not read since: Redis can lose them before they count. */
  readonly #added = new Set<string>();

  constructor(redis: Redis | Cluster, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}fence`;
  }

  async append(texts: readonly string[]): Promise<void> {
    await this.#redis.eval(addScript, 1, this.#key, ...texts);
    for (const text of texts) this.#added.add(text);
  }

  async read(): Promise<JournalReading> {
    const isFirst = this.#isFirst;
    // What was read by then is lost when a page fails: then the next reading begins anew.
    this.#isFirst = true;
    if (isFirst) [this.#last, this.#count] = ['0', 0];
    const added = [...this.#added];
    let texts = await this.#readOn();
    let isWhole = isFirst;
    const found = new Set(texts);
    if (texts === null || !added.every((text) => found.has(text))) {
      [this.#last, this.#count] = ['0', 0];
      isWhole = true;
      texts = await this.#readOn();
    }
    // Otherwise some were added or removed meanwhile.
    this.#isFirst = texts === null;
    if (texts !== null) for (const text of added) this.#added.delete(text);
    return { texts: texts ?? [], isWhole: isWhole && texts !== null };
  }

  /** Reads on from the last text; `null` when the number of texts does not fit. */
  async #readOn(): Promise<string[] | null> {
    const texts: string[] = [];
    for (;;) {
      const replies = await this.#redis
        .multi()
        .zrangebyscore(this.#key, `(${this.#last}`, '+inf', 'WITHSCORES', 'LIMIT', 0, pageSize)
        .zcard(this.#key)
        .exec();
      const failed = replies?.find(([error]) => error !== null);
      if (failed?.[0]) throw failed[0];
      const [found, count] = v.parse(
        page,
        replies?.map(([, reply]) => reply),
      );
      for (let index = 0; index < found.length; index += 2) texts.push(found[index] ?? '');
      this.#count += found.length / 2;
      this.#last = found.at(-1) ?? this.#last;
      if (found.length < 2 * pageSize) return this.#count === count ? texts : null;
    }
  }

  async remove(texts: readonly string[]): Promise<void> {
    for (let index = 0; index < texts.length; index += pageSize)
      await this.#redis.zrem(this.#key, ...texts.slice(index, index + pageSize));
  }
}
