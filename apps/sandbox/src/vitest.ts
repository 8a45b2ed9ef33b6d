import { afterEach } from 'vitest';
import type { Sandbox, SandboxOptions } from './options.js';
import { createSandbox } from './sandbox.js';

/**
 * Makes a sandbox for the tests of a file or a `describe`. After each test it is reset.
 *
 * @example
 * const sandbox = useSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });
 * test('…', async () => {
 *   sandbox.faults.add({ kind: 'error', code: '429', times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox(options);
  afterEach(() => sandbox.reset());
  return sandbox;
}
