import { deflate } from './deflate.js';
import {
  loader,
  loaderHash,
  packedScript,
  packedScriptHash,
  packedStyle,
  script,
  scriptHash,
  style,
  styleHash,
} from './generated/page-assets.js';
import { packRecords } from './packed-records.js';
import { base64Of, bytesOfBase64, textOf, utf16File } from './page-text.js';
import type { TripRecord } from './trip/trip.js';
import { escapeMarkup } from './trip/words.js';

/** Where the page reads trips from. The page holds it, as JSON; records stand in it packed, and are read again as they were. */
export type PageSource =
  /** Data inside the page: no request at all. */
  | { readonly kind: 'embedded'; readonly records: readonly TripRecord[] }
  /** The API on the origin of the page, through the proxy, the sandbox or `servePage`. */
  | {
      readonly kind: 'api';
      /**
       * Sent with each call. It is part of the HTML: pass only one that every reader of the page may see. Without it, the server of the
       * page must add one, as `servePage` does.
       */
      readonly accessToken?: string | undefined;
      /** Brand identifiers in place of the contract's. */
      readonly brands?: readonly string[] | undefined;
      /** Vehicles that the list of their brand does not have, such as those of a sandbox whose data are dirty. */
      readonly furtherVehicles?: readonly FurtherVehicle[] | undefined;
      /** What the server takes for now, in milliseconds since 1970; the reader's clock unless set. */
      readonly now?: number | undefined;
    }
  /** A folder of Parquet files that `servePage` serves by ranges, each by its `id`. */
  | (ArchiveFiles & { readonly kind: 'archive' });

/** A vehicle that the page offers after those of the list. */
export interface FurtherVehicle {
  readonly brand: string;
  readonly vin: string;
  readonly name: string;
}

/** The Parquet files of an archive folder. */
export interface ArchiveFiles {
  readonly files: readonly ArchiveFile[];
  /** How many more the folder has than a page reads. Default none. */
  readonly leftOut?: number | undefined;
  /** What vehicles are called, by their pseudonyms. Default the beginning of the pseudonym. */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/** One Parquet file of an archive folder. */
export interface ArchiveFile {
  /** Names it in requests. */
  readonly id: number;
  /** Path from the folder, for messages. */
  readonly name: string;
  readonly bytes: number;
  /** Whether its window is to be fetched again. */
  readonly provisional: boolean;
}

/** What a page is made of. */
export interface PageConfig {
  readonly title: string;
  /** Time zone in which days and times are shown first; the reader's unless set. */
  readonly zone?: string | undefined;
  readonly source: PageSource;
  /** Path before the paths of requests, without a slash at its end. Default none. */
  readonly base?: string | undefined;
}

/** What a page to take along is made of. */
export interface PageFileConfig extends Pick<PageConfig, 'title' | 'zone'> {
  readonly records: readonly TripRecord[];
}

/**
 * The trip explorer as one HTML document. It is sealed: its content security policy forbids every script but its own and
 * every request, except for requests to its own origin where trips are read from there.
 *
 * @param config Title, time zone and where trips come from.
 * @example
 * const html = tripPageHtml({ title: 'My trips', source: { kind: 'embedded', records } });
 */
export function tripPageHtml(config: PageConfig): string {
  const { source } = config;
  const records = source.kind === 'embedded' ? source.records : undefined;
  return documentOf(records ? { ...config, source: { kind: 'embedded', records: [] } } : config, {
    scriptHashes: scriptHash,
    charset: '<meta charset="utf-8">',
    style: `<style>${style}</style>`,
    script: `${records ? `${dataElement('records', base64Of(packRecords(records)))}\n` : ''}<script>${script}</script>`,
  });
}

/**
 * The trip explorer with trips inside, as the bytes of one small file to keep or to send. It makes no request and allows no script
 * but its own. Trips are as they are in the records, bit by bit. It needs a browser of 2023 or later.
 *
 * The file is UTF-16 with a byte order mark. Write and send it as bytes: decoded as UTF-8 it is damaged.
 *
 * @example
 * await writeFile('march.html', await tripPageFile({ title: 'March', records }));
 */
export async function tripPageFile({ records, ...config }: PageFileConfig): Promise<Uint8Array<ArrayBuffer>> {
  const dataOf = (id: string, bytes: Uint8Array) => dataElement(id, textOf(bytes));
  const html = documentOf(
    { ...config, source: { kind: 'embedded', records: [] } },
    {
      // Policies allow what a script adds by its hash, as they do what stands in the page.
      scriptHashes: `${loaderHash} ${packedScriptHash}`,
      // The byte order mark says it.
      charset: '',
      style: dataOf('style', bytesOfBase64(packedStyle)),
      script: [
        dataOf('records', await deflate(packRecords(records))),
        dataOf('script', bytesOfBase64(packedScript)),
        `<script>${loader}</script>`,
      ].join('\n'),
    },
  );
  return utf16File(html);
}

/** Data that a script of the page reads. */
function dataElement(id: string, text: string): string {
  return `<script type="text/plain" id="${id}">${text}</script>`;
}

interface Parts {
  /** Source expressions of the scripts that may run. */
  readonly scriptHashes: string;
  readonly charset: string;
  readonly style: string;
  readonly script: string;
}

function documentOf({ title, zone, source, base }: PageConfig, parts: Parts): string {
  const connections = source.kind === 'embedded' ? '' : " connect-src 'self';";
  const policy = `default-src 'none'; script-src ${parts.scriptHashes}; style-src ${styleHash};${connections} img-src data:; base-uri 'none'; form-action 'none'`;
  // JSON that cannot end the element it is in.
  const config = JSON.stringify({ title, zone, source, base }).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="en">
<head>
${parts.charset}
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeMarkup(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 11l3-6 3 8 3-10 2 6h3' fill='none' stroke='%233a56d4' stroke-width='2'/%3E%3C/svg%3E">
${parts.style}
</head>
<body>
<noscript>This page draws trips with a script of its own. Allow scripts for it to see them; it makes no request to other places.</noscript>
<script type="application/json" id="config">${config}</script>
${parts.script}
</body>
</html>
`;
}
