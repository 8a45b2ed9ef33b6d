// node bench/object-validators.ts [--rounds 45]
// Time to check parsed responses: the compiled checks and libraries, in one interleaved run.
import { operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { measure, printTable } from './measure.ts';
import { payloads } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

/** What every candidate must reject, so that none is fast because it looks away. */
const spoiled: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(\.\d+),(-?\d)/, '$1,null,$2'),
  (text) => text.replace(/"tripLength":\d+/, '"tripLength":-1'),
  (text) => text.replace(/"success":"true"/, '"success":"no"'),
];

for (const [name, { operation, text }] of Object.entries(payloads)) {
  const schema = schemaOf(operations[operation].responses[200]);
  const candidates: Record<string, (value: unknown) => boolean> = {
    compiled: (value) => validateResponse(operation, 200, value).ok,
  };
  for (const [peer, make] of Object.entries(peers)) candidates[peer] = await make(schema);
  const isSmall = text.length < 100_000;
  const parsed = JSON.parse(text) as unknown;
  // A large response is parsed afresh for every candidate, as it is in use: its values are then not in the cache.
  const prepare = () => (isSmall ? parsed : (JSON.parse(text) as unknown));
  const all = { ...candidates, 'JSON.parse': () => JSON.parse(text) as unknown };
  printTable(`${name}, ${text.length} bytes`, measure(all, prepare, isSmall ? 500 : 1), 'JSON.parse');
  // Only now: lists that hold something wrong make the code of every candidate more general, and slower.
  for (const [candidate, check] of Object.entries(candidates)) {
    const verdicts = [text, ...spoiled.map((spoil) => spoil(text))].map((one) => check(JSON.parse(one)));
    if (verdicts.join() !== 'true,false,false,false') throw new Error(`${candidate} is wrong about ${name}`);
  }
}
