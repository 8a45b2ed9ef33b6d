// What the steps of the page share: month-step.ts and day-step.ts.
import type { Screen } from './screen.js';

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
