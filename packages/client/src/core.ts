import type { Settings } from './call.js';
import type { Perform } from './perform.js';

/** What the methods, `raw` and the iterators of one client share. */
export interface Core {
  readonly settings: Settings;
  readonly perform: Perform;
}
