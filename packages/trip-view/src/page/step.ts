// What the steps of the page share: month-step.ts and day-step.ts.
import type { Address } from './address.js';
import type { Screen } from './screen.js';
import type { Shelf } from './shelf.js';

export interface App {
  readonly screen: Screen;
  /** Zone of the days. */
  readonly zone: string;
  /** Days of the strip: more once a reader asks for earlier ones. */
  shownDays: number;
  /** Shows what the address names. */
  readonly show: (isForced?: boolean) => Promise<void>;
  /** Says later whether the reader is still at the step of now. */
  readonly stay: () => () => boolean;
}

/** What a step shows. */
export interface Step {
  readonly shelf: Shelf;
  readonly address: Address;
  /** yyyy-MM-dd. */
  readonly today: string;
  /** Whether what may change is read again. */
  readonly isForced: boolean;
  /** Whether the reader is still at this step. */
  readonly isNewest: () => boolean;
}
