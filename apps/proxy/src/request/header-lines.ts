import { framingHeaders, type HeadFault, malformed } from './head-rules.js';

// Lists: lines of the same name are one value, https://www.rfc-editor.org/rfc/rfc9110#section-5.3
const lists: ReadonlySet<string> = new Set([
  'connection',
  'accept-encoding',
  'if-none-match',
  'tracestate',
  'x-forwarded-for',
]);
// Two of these cannot both be meant; which one counts would be a guess.
const single: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/** The header lines that matter to the proxy, collected one by one. */
export class HeaderLines {
  readonly headers = new Map<string, string>();
  readonly #wanted: ReadonlySet<string>;
  #repeated: string | null = null;

  /** @param wanted lower-case names of the headers to keep, besides those of the framing */
  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Whether the value of a header is of interest. */
  wants(lowerCase: string): boolean {
    return framingHeaders.has(lowerCase) || this.#wanted.has(lowerCase);
  }

  /** Adds a line of a wanted header, with its name as sent. */
  add(name: string, lowerCase: string, value: string): void {
    const earlier = this.headers.get(lowerCase);
    if (earlier === undefined) this.headers.set(lowerCase, value);
    else if (lists.has(lowerCase)) this.headers.set(lowerCase, `${earlier}, ${value}`);
    else if (single.has(lowerCase) || this.#wanted.has(lowerCase)) this.#repeated ??= name;
  }

  /** What is wrong with the lines so far. */
  fault(): HeadFault | null {
    if (this.#repeated === null) return null;
    return malformed(this.#repeated, 'this header stands twice; send it once');
  }
}
