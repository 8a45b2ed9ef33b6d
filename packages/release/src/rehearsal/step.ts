/** Runs a step of the rehearsal and says what it took. */
export async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  let outcome = 'FAILED';
  try {
    const result = await action();
    outcome = 'ok    ';
    return result;
  } finally {
    process.stdout.write(`${outcome} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
  }
}
