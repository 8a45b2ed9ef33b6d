import { proxyError } from '../response/proxy-error.js';
import type { ResponseChecks } from '../response/response-check.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { type ForwardedRequest, type ForwardingParts, ProxiedRequest } from './proxied-request.js';
import { RetryBudget } from './retry-budget.js';
import type { UpstreamTransport } from './transport/upstream-transport.js';

/** What a forwarder is made of. */
export type ForwarderParts = Omit<ForwardingParts, 'retries'> & {
  readonly transport: UpstreamTransport;
  readonly checks: ResponseChecks;
};

/** Sends requests to one upstream, within its circuit breakers and retry budget. */
export class Forwarder {
  readonly transport: UpstreamTransport;
  readonly breakers = new CircuitBreakers();
  readonly #parts: ForwardingParts;

  constructor(parts: ForwarderParts) {
    this.transport = parts.transport;
    this.#parts = { ...parts, retries: new RetryBudget() };
  }

  /**
   * Sends a request and passes its response.
   *
   * @throws {ProxyError} when the client has not got a response and must get this one
   */
  forward(forwarded: ForwardedRequest): Promise<void> {
    const { plan, record } = forwarded;
    const source = { client: record.client, vehicle: plan.vehicle };
    const admission = this.breakers.admit(plan.brand, source, performance.now());
    if (typeof admission === 'number') {
      const seconds = Math.max(1, Math.ceil(admission / 1000));
      throw proxyError('overloaded', [], ['retry-after', String(seconds)], 'the circuit breaker is open');
    }
    this.#parts.retries.earn();
    return new ProxiedRequest(this.#parts, forwarded, (verdict) => {
      if (verdict !== 'unknown') this.breakers.settle(admission, verdict === 'failed', performance.now());
    }).run();
  }
}
