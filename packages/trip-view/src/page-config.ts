import type { TripRecord } from './trip/trip.js';

/** Where the page reads trips from. The page holds it as JSON. */
export type PageSource =
  /** Data inside the page: no request at all. */
  | { readonly kind: 'embedded'; readonly records: readonly TripRecord[] }
  /** The API on the origin of the page, through the proxy, the sandbox or `servePage`. */
  | {
      readonly kind: 'api';
      /** Sent with each call. Without it the page asks the reader, and keeps the token in memory alone. */
      readonly accessToken?: string | undefined;
      /** Brand identifiers in place of the contract's. */
      readonly brands?: readonly string[] | undefined;
      /** What the server takes for now, in milliseconds since 1970; the reader's clock unless set. */
      readonly now?: number | undefined;
      /** Whether a server adds the access token, so that the page needs none. */
      readonly authenticated?: boolean | undefined;
    }
  /** A folder of Parquet files that `servePage` serves by ranges. */
  | { readonly kind: 'archive' };

/** What a page is made of. */
export interface PageConfig {
  readonly title: string;
  /** Time zone in which days and times are shown first; the reader's unless set. */
  readonly zone?: string | undefined;
  readonly source: PageSource;
  /** Path before the paths of requests, without a slash at its end. Default none. */
  readonly base?: string | undefined;
}

/** One Parquet file of an archive folder, as `servePage` lists it. */
export interface ArchiveFile {
  /** Path from the folder, for messages. */
  readonly name: string;
  readonly bytes: number;
  /** Whether its window is to be fetched again. */
  readonly provisional: boolean;
}
