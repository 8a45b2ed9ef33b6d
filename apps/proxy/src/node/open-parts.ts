import { type OpenedClientAuth, openClientAuth } from '../auth/open-client-auth.js';
import { configFrom } from '../config/proxy-config.js';
import type { Settings } from '../config/read-settings.js';
import type { ProxyConfig } from '../config.js';
import { openTransport } from '../forward/transport/socket/open-transport.js';
import type { SharedCounting } from '../limits/open-limits.js';
import { openLimits } from '../limits/open-limits.js';
import type { CountedLimits } from '../limits/rate-limits.js';
import type { Warnings } from '../observability/warnings.js';
import type { PipelineParts } from '../pipeline.js';

/** What settings ask for and a reload replaces. */
export interface OpenedParts {
  readonly config: ProxyConfig;
  readonly parts: Pick<PipelineParts, 'transport' | 'clientAuth' | 'limits'>;
  readonly clientAuth: OpenedClientAuth;
  readonly limits: CountedLimits | null;
}

/** What outlives a reload. */
export interface LastingParts {
  readonly counting: SharedCounting | null;
  readonly warnings: Warnings;
  /** Receives every failure of Redis to count. */
  readonly onAway: () => void;
}

/**
 * Opens what the settings ask for.
 *
 * @param before what was in use until now: counts continue, and so do the keys of an unchanged issuer
 * @throws {Error} when a file cannot be used; the text names the setting
 */
export async function openParts(
  settings: Settings,
  lasting: LastingParts,
  before: OpenedParts | null = null,
): Promise<OpenedParts> {
  const { values } = settings;
  const transport = openTransport(values);
  const limits = openLimits(values, lasting.counting, lasting.onAway, before?.limits ?? null);
  const clientAuth = await openClientAuth(settings, lasting.warnings, before?.clientAuth ?? null);
  const { check } = clientAuth;
  return {
    config: configFrom(settings),
    parts: { transport, ...(check === null ? {} : { clientAuth: check }), ...(limits === null ? {} : { limits }) },
    clientAuth,
    limits,
  };
}
