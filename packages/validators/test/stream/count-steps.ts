// How much the built streaming checker does for responses of trips, counted instead of timed: how often the blocks of its code run. V8
// counts them, so that no loop escapes, neither one of the general path nor one inside a scan. It counts only in code that is loaded
// after it was told to, so this is a process of its own: a JSON list of operations with texts comes in, a JSON list of verdicts and steps goes out.
import { Session } from 'node:inspector/promises';
import { json } from 'node:stream/consumers';

/** What a check said, and in how many steps. */
export interface CountedCheck {
  readonly ok: boolean;
  readonly steps: number;
}

/** A response of an operation. */
export type OperationText = readonly [operation: 'getDrivingData' | 'getPowertrainData', text: string];

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { createResponseChecker } = await import('@vehicle-data/validators/stream');

async function check([operation, text]: OperationText): Promise<CountedCheck> {
  const bytes = Buffer.from(text);
  await session.post('Profiler.takePreciseCoverage');
  const checker = createResponseChecker(operation, 200);
  for (let at = 0; at < bytes.length; at += 65_536) checker.write(bytes.subarray(at, at + 65_536));
  const { ok } = checker.end();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result.filter(({ url }) => url.endsWith('/validators/dist/stream.js'));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return { ok, steps: ranges.reduce((sum, { count }) => sum + count, 0) };
}

const checks: CountedCheck[] = [];
for (const text of (await json(process.stdin)) as readonly OperationText[]) checks.push(await check(text));
console.log(JSON.stringify(checks));
