// Signed requests to an S3-compatible store: each with a deadline, failed ones retried, and errors that name no key.
import { setTimeout as wait } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';

/** What signs requests. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Where a bucket is, and who reads and writes it. */
export interface S3Place {
  readonly bucket: string;
  /** Text that every key begins with, with a slash at its end; empty for a lake that has the bucket to itself. */
  readonly prefix: string;
  /** `undefined` for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the bucket is in the path and not in the host name. */
  readonly isPathStyle: boolean;
  /** Called for each request: temporary credentials are replaced while the program runs. */
  readonly credentials: () => S3Credentials;
}

/** How long requests take at most. */
export interface S3Patience {
  /** Deadline of one attempt, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts of one request. Default 5. */
  readonly attempts?: number | undefined;
  /** Pause before the second attempt, in milliseconds; it doubles. Default 100. */
  readonly retryMs?: number | undefined;
}

/** A response that was read whole. */
export interface S3Response {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** What a request is about. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key below the prefix of the place; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  /** Statuses beside 2xx that are no errors. */
  readonly expected?: readonly number[] | undefined;
}

/** A store that rejected a request, or could not be reached. The message names no key. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** The code of the store, such as `AccessDenied`; `network` where there was no response. */
  readonly code: string;
  readonly status: number | undefined;

  constructor(code: string, message: string, facts: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
  }
}

/** Sends requests. */
export type S3Client = (request: S3Request) => Promise<S3Response>;

/** No object of a lake is larger: a file of a window has some MB. */
const mostBytes = 256 * 1024 * 1024;
const mostPauseMs = 5_000;
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function createS3Client(place: S3Place, patience: S3Patience = {}): S3Client {
  const { timeoutMs = 30_000, attempts = 5, retryMs = 100 } = patience;
  const cache = new Map<string, ArrayBuffer>();

  async function attempt({ method, key, query, headers, body }: S3Request): Promise<S3Response> {
    const { accessKeyId, secretAccessKey, sessionToken } = place.credentials();
    const signer = new AwsClient({
      ...{ accessKeyId, secretAccessKey, service: 's3', region: place.region, cache },
      ...(sessionToken !== undefined && { sessionToken }),
    });
    // Derived keys of a day, one for each pair of credentials.
    if (cache.size > 100) cache.clear();
    const signed = await signer.sign(urlOf(place, key, query), {
      method,
      headers: { 'x-amz-content-sha256': emptySha256, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
    const response = await fetch(signed, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    return { status: response.status, headers: response.headers, bytes: await readBody(response) };
  }

  return async (request) => {
    for (let tried = 1; ; tried += 1) {
      let failure: S3Error;
      let pauseMs = Math.min(mostPauseMs, retryMs * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);
      try {
        const response = await attempt(request);
        const { status } = response;
        if ((status >= 200 && status < 300) || request.expected?.includes(status)) return response;
        failure = rejected(response);
        pauseMs = Math.max(
          pauseMs,
          Math.min(mostPauseMs, Number(response.headers.get('retry-after') ?? 0) * 1000 || 0),
        );
      } catch (cause) {
        if (cause instanceof S3Error) throw cause;
        failure = new S3Error('network', 'the object store cannot be reached, or did not respond in time', { cause });
      }
      if (tried >= attempts || !isTemporary(failure)) throw failure;
      await wait(pauseMs);
    }
  };
}

function isTemporary({ code, status }: S3Error): boolean {
  if (status === undefined || code === 'RequestTimeout' || code === 'SlowDown') return true;
  return status >= 500 ? status !== 501 : status === 408 || status === 429;
}

/** The address of an object. */
function urlOf({ bucket, prefix, endpoint, region, isPathStyle }: S3Place, key: string, query = {}): string {
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const folder = base.pathname.replace(/\/+$/, '');
  // What a query names begins with the prefix; the bucket itself has no key.
  const path = key === '' ? '' : `${prefix}${key}`.split('/').map(encodeURIComponent).join('/');
  if (isPathStyle) base.pathname = `${folder}/${bucket}/${path}`;
  else {
    base.host = `${bucket}.${base.host}`;
    base.pathname = `${folder}/${path}`;
  }
  base.search = new URLSearchParams(query).toString();
  return base.href;
}

async function readBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > mostBytes)
      throw new S3Error('TooLarge', 'the object store sent an object that is larger than any of a lake');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const reasons: Readonly<Record<string, string>> = {
  AccessDenied:
    'the credentials lack a right: s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket are needed, with versions s3:ListBucketVersions and s3:DeleteObjectVersion',
  RequestTimeTooSkewed: 'the clock of this machine is wrong: set it by NTP',
  SignatureDoesNotMatch: 'the secret access key or the region is wrong',
  InvalidAccessKeyId: 'the store does not know the access key',
  ExpiredToken: 'the credentials expired',
  NoSuchBucket: 'there is no such bucket: make it, or check --lake, the region and the endpoint',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
};

function rejected({ status, bytes }: S3Response): S3Error {
  const [, found] = /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes.subarray(0, 65_536)).toString('utf8')) ?? [];
  // HEAD has no body.
  const code =
    found ?? (status === 403 ? 'AccessDenied' : status >= 300 && status < 400 ? 'PermanentRedirect' : `${status}`);
  const reason = reasons[code];
  return new S3Error(
    code,
    `the object store rejected a request (${code})${reason === undefined ? '' : `: ${reason}`}`,
    {
      status,
    },
  );
}
