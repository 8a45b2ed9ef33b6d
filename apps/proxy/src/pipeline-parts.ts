import type { ReadAudit } from './audit/read-audit.js';
import type { WithdrawalAudit } from './audit/withdrawal-audit.js';
import type { ClientAuth } from './auth/client.js';
import type { VehicleEvents } from './events/vehicle-events.js';
import type { Fence } from './fence/fence.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import type { RateLimits } from './limits/rate-limits.js';
import type { DriftListener } from './observability/drift-report.js';
import type { Observer } from './observability/observer.js';
import type { Tracing } from './observability/spans.js';
import type { TokenSource } from './upstream-token/token-source.js';

/** What a runtime brings to the pipeline besides its configuration. */
export interface PipelineParts {
  readonly transport: UpstreamTransport;
  /** Default: nobody is notified. */
  readonly observer?: Observer;
  /** Default: anyone may call. */
  readonly clientAuth?: ClientAuth;
  /** Default: no limits. */
  readonly limits?: RateLimits;
  /** Access tokens for the upstream, where the configuration leaves them to the proxy. Default: none. */
  readonly tokens?: TokenSource;
  /** Notes every withdrawal before it is sent, and its outcome. Default: none is noted. */
  readonly audit?: WithdrawalAudit;
  /** Notes each request that read data. Default: none is noted. */
  readonly reads?: ReadAudit;
  /** What must not leave after a withdrawal. Default: what this process alone knows of withdrawals. */
  readonly fence?: Fence;
  /** Notifies others when a consent has ended. Default: nobody is notified. */
  readonly events?: VehicleEvents;
  /** Receives each violation of the contract once. Default: nobody is notified. */
  readonly onDrift?: DriftListener;
  /** Starts a span for each request. Default: none, and the upstream gets the trace context of the client. */
  readonly tracing?: Tracing;
}
