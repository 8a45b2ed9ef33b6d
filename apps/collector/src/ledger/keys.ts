// Keys that nobody gave: made once, and the same for every process of the ledger.
import type { Queries } from './database.js';

/** The key of this name; `make` makes it where there is none. */
export async function keepKey(
  database: Queries,
  name: 'pseudonyms' | 'receipts',
  make: () => string | Promise<string>,
): Promise<string> {
  const find = async () =>
    (await database.query<{ value: string }>('select value from vds.keys where name = $1', [name]))[0]?.value;
  const known = await find();
  if (known !== undefined) return known;
  // Of processes that start together the first one wins.
  await database.query('insert into vds.keys (name, value) values ($1, $2) on conflict do nothing', [
    name,
    await make(),
  ]);
  const kept = await find();
  if (kept === undefined) throw new Error('the database did not keep a key');
  return kept;
}
