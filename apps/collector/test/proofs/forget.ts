// prove:forget: owners withdraw at random moments, processes are killed meanwhile. Nothing is left of them but a receipt each.
import { drill, faultsOf, outcomeOf } from './drill.ts';
import { endWithChildren, numbersOf, printRow } from './processes.ts';

endWithChildren();
const options = numbersOf({
  vehicles: 10_000,
  processes: 4,
  kills: 200,
  withdrawals: 500,
  restarts: 5,
  faultEvery: 100,
  everyMs: 500,
});
const report = await drill(options);
console.log(JSON.stringify({ ...options, ...report }, null, 2));
printRow('forget', options, outcomeOf(report));
const faults = faultsOf(report);
if (faults.length > 0) throw new Error(`the proof failed: ${faults.join(', ')}`);
