import {
  checkFraming,
  type HeadFault,
  headerLineFault,
  headTooLarge,
  malformed,
  maxHeadBytes,
  maxHeaderLines,
  maxTargetLength,
  requestLineFault,
  targetTooLong,
  tooManyLines,
} from './head-rules.js';
import { HeaderLines } from './header-lines.js';

/** Node's `IncomingMessage`, as far as it is used here. */
export interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/** The head of a request as Node's parser has read it. */
export interface NodeHead {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
}

// Node takes bytes above ASCII and control characters in some places.
const visible = /^[\x21-\x7e]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

const read = new WeakMap<NodeIncoming, NodeHead | HeadFault>();

/**
 * Applies the rules about heads to what Node's parser lets through: two `Host` lines, HTTP/2.0 and HTTP/0.9 in a request line, absolute
 * addresses, `#` in a target. A request is read once, however often this is called.
 *
 * @param wanted lower-case names of the headers to keep, besides those of the framing
 */
export function readNodeHead(incoming: NodeIncoming, wanted: ReadonlySet<string>): NodeHead | HeadFault {
  let head = read.get(incoming);
  if (head === undefined) {
    head = readHead(incoming, wanted);
    read.set(incoming, head);
  }
  return head;
}

function readHead(incoming: NodeIncoming, wanted: ReadonlySet<string>): NodeHead | HeadFault {
  const { method = '', url: target = '', httpVersion, rawHeaders } = incoming;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return requestLineFault;
  if (target.length > maxTargetLength) return targetTooLong;
  if (!target.startsWith('/')) return malformed('target', 'send the path alone, starting with a slash (origin form)');
  if (!visible.test(target)) return requestLineFault;
  if (target.includes('#')) return malformed('target', 'a target has no fragment; leave out everything from # on');
  if (rawHeaders.length > maxHeaderLines * 2) return tooManyLines;
  const lines = new HeaderLines(wanted);
  let bytes = target.length;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    bytes += name.length + value.length + 4;
    if (!valueForm.test(value)) return headerLineFault;
    const lowerCase = name.toLowerCase();
    if (lines.wants(lowerCase)) lines.add(name, lowerCase, value);
  }
  if (bytes > maxHeadBytes) return headTooLarge;
  const fault = lines.fault();
  if (fault !== null) return fault;
  const framing = checkFraming(lines.headers, wanted, httpVersion === '1.1');
  return 'code' in framing ? framing : { method, target, headers: lines.headers };
}
