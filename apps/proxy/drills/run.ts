import { runKillDrill } from './refresh-kills.ts';

// node drills/run.ts [KILLS]: kills processes in the middle of refreshing tokens, and counts what was lost.
const result = await runKillDrill(Number(process.argv[2] ?? 1000), (done) => {
  if (done % 100 === 0) process.stdout.write(`${done} kills\n`);
});
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
process.exitCode = result.lost + result.torn === 0 && result.recovered ? 0 : 1;
