import type { SandboxOptions } from './options.js';
import type { RecordedCall } from './recording.js';
import { createSandbox } from './sandbox.js';

/** A call whose response is no longer the recorded one. */
export interface ReplayDifference {
  /** Position of the call in the recording, from 0. */
  readonly index: number;
  readonly recorded: RecordedCall;
  readonly status: number;
  readonly body: string;
}

/**
 * Plays recorded calls again, each at its own time, on a new sandbox.
 *
 * @param calls What `onCall` received, in order.
 * @param options The options of the sandbox that recorded them: `seed`, `vehicles`, `sensorNoise`, `brands`, `faults`.
 * @returns The calls that got another response. Logins are not played, since their secrets are not recorded.
 */
export async function replaySession(
  calls: Iterable<RecordedCall>,
  options: SandboxOptions = {},
): Promise<readonly ReplayDifference[]> {
  const sandbox = createSandbox(options);
  const differences: ReplayDifference[] = [];
  for (const [index, recorded] of [...calls].entries()) {
    const { method, path, body, requestId, brand, bearer } = recorded;
    // A control that was rejected changed nothing, and what it was rejected for may not be recorded; nor are the secrets of logins.
    if (/^\/sandbox\/oauth\//.test(path) || (recorded.status >= 400 && path.startsWith('/sandbox/'))) continue;
    // An earlier call may have let the clock run.
    sandbox.clock.freeze();
    sandbox.clock.set(Date.parse(recorded.at));
    const headers = new Headers({ 'X-Request-Id': requestId });
    if (brand !== undefined) headers.set('Brand', brand);
    const token = bearer?.owner === undefined ? 'unknown' : sandbox.accessTokenOf(bearer.owner);
    if (bearer) headers.set('Authorization', `Bearer ${token}`);
    // Aborted from the start: no fault waits, and a body that stalls breaks off at once.
    const init = { method, headers, body: body || null, signal: AbortSignal.abort() };
    const response = await sandbox.fetch(`http://sandbox${path}`, init);
    const text = await response.text().catch(() => '');
    const same = response.status === recorded.status && (text === recorded.response || path.startsWith('/sandbox/'));
    if (!same) differences.push({ index, recorded, status: response.status, body: text });
  }
  return differences;
}
