import { headerValue, ownAnswerHeaders } from '../answer-headers.js';

// An `import` would read every member of the module at once, among them another HTTP client: 30 ms and 16 MB at every start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

let dateText = '';
let dateOfSecond = 0;

/** The time for a `Date` header; made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateOfSecond) {
    dateOfSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}

let ownLines = '';
/** The same for an answer that says itself how it may be cached. */
let ownLinesOfPages = '';
for (let index = 0; index < ownAnswerHeaders.length; index += 2) {
  const line = `${ownAnswerHeaders[index]}: ${ownAnswerHeaders[index + 1]}\r\n`;
  ownLines += line;
  if (ownAnswerHeaders[index] !== 'cache-control') ownLinesOfPages += line;
}

/** How the end of an answer's body is told. */
export type Framing =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'close' };

/** The head of an answer to a caller as it goes on the wire, up to and including its empty line. */
export function answerHeadText(
  status: number,
  headers: readonly string[],
  requestId: string,
  framing: Framing,
  keepAlive: boolean,
  isPage = false,
): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  // https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1
  if (headerValue(headers, 'date') === undefined) text += `date: ${httpDate()}\r\n`;
  text += `${isPage ? ownLinesOfPages : ownLines}x-request-id: ${requestId}\r\n`;
  if (framing.kind === 'length') text += `content-length: ${framing.length}\r\n`;
  else if (framing.kind === 'chunks') text += 'transfer-encoding: chunked\r\n';
  return `${text}${keepAlive ? '' : 'connection: close\r\n'}\r\n`;
}
