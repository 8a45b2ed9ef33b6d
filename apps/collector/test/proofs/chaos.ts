// prove:chaos: processes are killed, the store fails, the database restarts. Nothing is lost, and no window is settled without its file.
import { drill, faultsOf, outcomeOf } from './drill.ts';
import { endWithChildren, numbersOf, printRow } from './processes.ts';

endWithChildren();
const options = numbersOf({
  vehicles: 2_000,
  processes: 4,
  kills: 1_000,
  withdrawals: 0,
  restarts: 20,
  faultEvery: 50,
  everyMs: 500,
});
const report = await drill(options);
console.log(JSON.stringify({ ...options, ...report }, null, 2));
printRow('chaos', options, outcomeOf(report));
const faults = faultsOf(report);
if (faults.length > 0) throw new Error(`the proof failed: ${faults.join(', ')}`);
