/** The runtimes of the suite: the program on Node, `createProxy` on a plain `@hono/node-server` with either transport, and the others. */
export const runtimeNames = ['node', 'hono-sockets', 'hono-fetch', 'workerd', 'deno', 'bun'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** Requests that the program on Node rejects and a platform's own parser accepts, changed or not. */
export interface Lenience {
  readonly runtimes: readonly RuntimeName[];
  /** File of the story. */
  readonly file: string;
  readonly cases: readonly string[];
  readonly reason: string;
}

const joinedLines =
  'Lines of one name come joined, so their number cannot be seen; the size of the head is checked all the same.';

/**
 * Every place where a platform's own HTTP parser decides a byte-level rule less strictly than the program on Node does. In all of them what
 * reaches the upstream is one request, built from checked values, exactly as without the oddity. The suite fails when another one
 * turns up, and when one of these no longer happens.
 */
export const leniences: readonly Lenience[] = [
  {
    runtimes: ['workerd', 'deno'],
    file: 'header-lines.yaml',
    cases: ['LF alone ends the lines', 'LF alone ends one line', 'LF alone ends the head'],
    reason:
      'The parser takes a lone LF for a line end, as RFC 9112, section 2.2 allows; the proxy sees only the headers.',
  },
  {
    runtimes: ['workerd'],
    file: 'header-lines.yaml',
    cases: ['a control character inside a value', 'a DEL inside a value'],
    reason: 'The parser accepts control characters in values; no such value is forwarded.',
  },
  {
    runtimes: ['bun'],
    file: 'header-lines.yaml',
    cases: ['a DEL inside a value'],
    reason: 'The parser accepts control characters in values; no such value is forwarded.',
  },
  {
    runtimes: ['workerd', 'deno', 'bun'],
    file: 'sizes.yaml',
    cases: ['101 header lines'],
    reason: joinedLines,
  },
  {
    runtimes: ['workerd'],
    file: 'sizes.yaml',
    cases: ['1100 short header lines', '5000 header lines'],
    reason: joinedLines,
  },
  {
    runtimes: ['workerd', 'deno', 'bun'],
    file: 'request-line.yaml',
    cases: ['a whole address for a path', 'the address of another server'],
    reason:
      'The parser takes the path out of a whole address (RFC 9112, section 3.2.2); the host in it is used for nothing.',
  },
  {
    runtimes: ['workerd'],
    file: 'request-line.yaml',
    cases: ['a fragment', 'a fragment that hides a path'],
    reason: 'The parser drops the fragment before the proxy sees the target; it is not forwarded.',
  },
  {
    runtimes: ['deno'],
    file: 'host.yaml',
    cases: ['no Host'],
    reason: 'The parser accepts a request without Host; the proxy uses Host for nothing.',
  },
  {
    runtimes: ['bun'],
    file: 'paths-of-nobody.yaml',
    cases: ['a dot segment', 'two dots', 'encoded dots', 'two dots out of the root', 'a backslash'],
    reason:
      'Bun resolves dot segments before the proxy sees the path; what is checked and what is forwarded is the resolved path.',
  },
  {
    runtimes: ['workerd'],
    file: 'bodies.yaml',
    cases: ['the same length twice'],
    reason: 'The parser takes two equal lengths of nothing for one; no body is forwarded.',
  },
  {
    runtimes: ['hono-sockets', 'hono-fetch', 'workerd', 'bun'],
    file: 'one-connection.yaml',
    cases: ['nothing after a request with a body is read, though it looks like a request'],
    reason: 'The platform reads the rejected body by its length; what follows is a request of its own.',
  },
];
