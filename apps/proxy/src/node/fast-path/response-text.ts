import { fixedHeaders, headerValue } from '../../response/response-headers.js';
import { http } from '../builtin.js';

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

let fixedLines = '';
for (let index = 0; index < fixedHeaders.length; index += 2)
  fixedLines += `${fixedHeaders[index]}: ${fixedHeaders[index + 1]}\r\n`;

/** How the end of a response's body is known. */
export type Framing =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'close' };

/** The head of a response as it goes on the wire, up to and including its empty line. */
export function responseHeadText(
  status: number,
  headers: readonly string[],
  requestId: string,
  framing: Framing,
  keepAlive: boolean,
): string {
  let text = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n`;
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  // https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1
  if (headerValue(headers, 'date') === undefined) text += `date: ${httpDate()}\r\n`;
  text += `${fixedLines}x-request-id: ${requestId}\r\n`;
  if (framing.kind === 'length') text += `content-length: ${framing.length}\r\n`;
  else if (framing.kind === 'chunks') text += 'transfer-encoding: chunked\r\n';
  return `${text}${keepAlive ? '' : 'connection: close\r\n'}\r\n`;
}
