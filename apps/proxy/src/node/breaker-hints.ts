import type { CircuitBreaker } from '../circuit-breaker.js';
import type { Store } from '../store/store.js';

const everyMs = 1000;
const hintMs = 10_000;
const key = 'breaker';

/**
 * Tells the other processes, through the store, that the circuit breaker is open here, and makes ours judge sooner while one
 * of theirs is. A hint alone opens nothing: the trouble of another process can be its own.
 *
 * @returns ends the exchange
 */
export function shareBreakerHints(breaker: CircuitBreaker, store: Store): () => void {
  const exchange = async () => {
    if (breaker.state !== 'closed') {
      await store.write(key, String(store.nowMs() + hintMs), hintMs);
      return;
    }
    const untilMs = Number(await store.read(key));
    if (untilMs > store.nowMs()) breaker.beWary(performance.now() + everyMs * 2);
  };
  const timer = setInterval(() => exchange().catch(() => {}), everyMs).unref();
  return () => clearInterval(timer);
}
