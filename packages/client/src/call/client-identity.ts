// How the SDK names itself to a service: an operator must be able to find old versions.
import { version } from '../generated/version.js';

interface Runtime {
  readonly document?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}

const { document, WorkerGlobalScope, navigator } = globalThis as Runtime;
const isBrowser =
  (document !== undefined || WorkerGlobalScope !== undefined) && /^Mozilla/.test(`${navigator?.userAgent}`);

/** Not in a page: browsers keep this header for themselves, and a header of our own would need the consent of each proxy (CORS). */
export const userAgent = isBrowser ? undefined : `vehicle-data-client/${version}`;
