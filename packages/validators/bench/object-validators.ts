// node bench/object-validators.ts [--rounds 45] [--save]
// Time to check parsed responses: the compiled checks, a loop written by hand, and libraries, in one interleaved run.
import { operations } from '@vehicle-data/openapi';
import { getDrivingDataResponse, getPowertrainDataResponse, validateResponse } from '@vehicle-data/validators';
import { drivingByHand, powertrainByHand } from './hand-written.ts';
import { measure, Report } from './measure.ts';
import { payloads } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

const flag = process.argv.indexOf('--rounds');
const rounds = flag < 0 ? 45 : Number(process.argv[flag + 1]);

/** What every candidate must reject, so that none is fast because it looks away. */
const spoiled: readonly ((text: string) => string)[] = [
  (text) => text.replace(/"tripLength":\d+/, '"tripLength":-1'),
  (text) => text.replace(/(\.\d+),(-?\d)/, '$1,"x",$2'),
  (text) => text.replace(/"meta":\{/, '"meta":{"success":"no","success":"no",').replace(/"success":"true",/, ''),
];

/** Makes sure that every candidate rejects a response. */
function refuseBy(candidates: Readonly<Record<string, (value: unknown) => unknown>>, text: string, name: string): void {
  for (const [candidate, check] of Object.entries(candidates)) {
    if (check(JSON.parse(text)) !== false) throw new Error(`${candidate} takes a spoiled payload of ${name}`);
  }
}

const report = new Report('object-validators');
for (const [name, { operation, text }] of Object.entries(payloads)) {
  const schema = schemaOf(operations[operation].responses[200]);
  const candidates: Record<string, (value: unknown) => unknown> = {
    compiled: operation === 'getDrivingData' ? getDrivingDataResponse.is : getPowertrainDataResponse.is,
    'compiled, found by operationId': (value) => validateResponse(operation, 200, value).ok,
    'by hand': operation === 'getDrivingData' ? drivingByHand : powertrainByHand,
  };
  for (const [peer, { usesEval, make }] of Object.entries(peers)) {
    candidates[usesEval ? `${peer} (needs eval)` : peer] = await make(schema);
  }
  for (const [candidate, check] of Object.entries(candidates)) {
    if (check(JSON.parse(text)) !== true) throw new Error(`${candidate} rejects the payload ${name}`);
  }
  const small = text.length < 100_000;
  const [parsed] = [JSON.parse(text) as unknown];
  const effort = { rounds: small ? rounds * 4 : rounds, warmUp: small ? 10 : 40, calls: small ? 500 : 1 };
  // A large response is parsed afresh for every candidate, as it is in use: its values are then not in the cache.
  const prepare = () => (small ? parsed : (JSON.parse(text) as unknown));
  const times = measure(candidates, prepare, effort);
  const parse = measure({ 'JSON.parse': () => JSON.parse(text) as unknown }, () => undefined, { ...effort, warmUp: 5 });
  report.table(`${name}, ${text.length} bytes`, { ...times, ...parse }, 'JSON.parse', ['by hand']);
  if (!small) {
    // A service that lacks a sample may send null. What an engine learns from such a response can make good ones slower for good.
    refuseBy(candidates, text.replace(/(\.\d+),(-?\d)/, '$1,null,$2'), name);
    const after = measure(candidates, prepare, { ...effort, warmUp: 5 });
    report.table(`${name} after a response with a null, ${text.length} bytes`, after, 'by hand');
  }
  // Only now: lists that hold something wrong make the code of every candidate more general, and slower.
  for (const spoil of spoiled) {
    if (spoil(text) === text) throw new Error('a spoiled payload equals the good one');
    refuseBy(candidates, spoil(text), name);
  }
}
report.end();
