// Lines of JSON-RPC on standard input. A line that is no JSON gets the response that JSON-RPC asks for; the transport would drop it.
import { Transform } from 'node:stream';

/** A message that is longer ends the connection. */
const longestLine = 10_000_000;
/** https://www.jsonrpc.org/specification#error_object */
const parseError = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })}\n`;

/** Passes lines of JSON on. @param respond gets the response to each line that is none. */
export function jsonLines(respond: (response: string) => void): Transform {
  let pending: Buffer[] = [];
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const line = Buffer.concat([...pending, rest.subarray(0, end + 1)]);
        rest = rest.subarray(end + 1);
        [pending, length] = [[], 0];
        if (isJson(line.toString())) this.push(line);
        else if (line.toString().trim() !== '') respond(parseError);
      }
      pending.push(rest);
      length += rest.length;
      done(length > longestLine ? new Error('a message is too long') : null);
    },
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
