import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('long-range/ten-years.js', import.meta.url));

test('ten years of trips, far more than the heap holds, pass through it', { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=48', program]);
  const { trips, megabytes } = JSON.parse(stdout) as { trips: number; megabytes: number };
  expect(trips).toBe(3_653);
  expect(megabytes).toBeGreaterThan(200);
});
