/** A case in which Node's own parser decides, and says it in other words than the rules of the proxy would. */
interface ParserDifference {
  readonly file: string;
  readonly cases: readonly string[];
  /** Statuses of the responses, where they differ. */
  readonly statuses?: readonly number[];
  /** Code of the error response, where it differs. */
  readonly code?: string;
  /** Whether the connection is closed, where that differs. */
  readonly closes?: boolean;
  /** Why the difference is safe. */
  readonly reason: string;
}

/** Every difference that Node's parser makes. Each request is rejected, or read as the one request that it can only be. */
export const parserDifferences: readonly ParserDifference[] = [
  {
    file: 'bodies.yaml',
    cases: ['a length and chunks', 'chunks and a length of nothing', 'an empty transfer coding'],
    statuses: [400],
    code: 'malformed-request',
    reason: 'The parser rejects a framing that could be read in two ways before anybody asks for a body.',
  },
  {
    file: 'methods.yaml',
    cases: [
      'a method nobody has heard of',
      'get in small letters',
      'delete in small letters',
      'a method with every character a name can have',
    ],
    statuses: [400],
    code: 'malformed-request',
    closes: true,
    reason: 'The parser knows the registered methods alone.',
  },
  {
    file: 'request-line.yaml',
    cases: ['two blanks before the path', 'two blanks behind the path', 'an empty line before it'],
    code: '4002',
    closes: false,
    reason: 'The parser skips blanks around a path, and empty lines before a request (RFC 9112, section 2.2).',
  },
  {
    file: 'request-line.yaml',
    cases: ['HTTP/0.9'],
    statuses: [408],
    code: 'request-timeout',
    reason: 'The parser waits for header lines.',
  },
  {
    file: 'one-connection.yaml',
    cases: ['a good request and then half of a bad one'],
    statuses: [200, 408],
    code: 'request-timeout',
    reason: 'The parser waits for the rest of a head.',
  },
  {
    file: 'sizes.yaml',
    cases: ['a target without an end'],
    statuses: [431],
    code: 'headers-too-large',
    reason: 'The parser counts a target as part of the head.',
  },
  {
    file: 'brand.yaml',
    cases: ['a NUL inside'],
    reason: 'The parser names the header line, not its end.',
  },
  {
    file: 'header-lines.yaml',
    cases: [
      'LF alone ends the head',
      'LF alone ends the lines',
      'a NUL inside a value',
      'a NUL inside a name',
      'a blank before the first header',
    ],
    reason: 'The parser names another part of the head.',
  },
  {
    file: 'request-line.yaml',
    cases: ['a NUL in the path', 'a path without a slash'],
    reason: 'The parser names the whole request line.',
  },
  { file: 'methods.yaml', cases: ['CONNECT'], reason: 'The parser keeps such requests apart from all others.' },
];

/** The difference of a case, or `undefined` when there is none. */
export function parserDifferenceOf(file: string, name: string): ParserDifference | undefined {
  return parserDifferences.find((each) => each.file === file && each.cases.includes(name));
}
