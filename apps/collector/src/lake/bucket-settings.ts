// Where a bucket is and who may use it, from the command line and the variables that S3 programs share.
import { readFileSync } from 'node:fs';
import { type Environment, type Given, UsageError } from '../command/options.js';
import type { S3Credentials, S3Place } from './s3-client.js';

/** Files with credentials are read again after so long. */
const freshMs = 60_000;

/** The bucket that `--lake s3://bucket/prefix` names; `undefined` for a folder. @throws UsageError */
export function readBucket(lake: string, given: Given, env: Environment): S3Place | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(lake)) return undefined;
  const { bucket, prefix } =
    /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w./=-]*))?$/.exec(lake)?.groups ?? {};
  if (bucket === undefined)
    throw new UsageError(
      '--lake must be a folder, or s3://bucket/prefix with letters, digits and . _ - = / in the prefix',
    );
  const folders = (prefix ?? '').split('/').filter((name) => name !== '');
  if (folders.some((name) => name === '.' || name === '..'))
    throw new UsageError('--lake must not have . or .. in its prefix');
  const endpoint = given.text('s3-endpoint') ?? (env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || undefined);
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:\/\/[^@?#]+$/.test(endpoint)))
    throw new UsageError('--s3-endpoint must be http:// or https:// without user, query and fragment');
  const style = given.text('s3-path-style') ?? `${endpoint !== undefined}`;
  if (style !== 'true' && style !== 'false') throw new UsageError('--s3-path-style must be true or false');
  return {
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    endpoint,
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    // A host name with a dot in front of the store's fits no certificate.
    isPathStyle: style === 'true' || bucket.includes('.'),
    credentials: credentialsOf(env),
  };
}

/** Credentials from variables, or from the files that others name, which may change while the program runs. @throws UsageError */
function credentialsOf(env: Environment): () => S3Credentials {
  const read = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (!file) return env[name] || undefined;
    if (env[name]) throw new UsageError(`${name} and ${name}_FILE are both set; keep one`);
    try {
      return readFileSync(file, 'utf8').trim() || undefined;
    } catch {
      throw new UsageError(`the file that ${name}_FILE names cannot be read`);
    }
  };
  const readAll = (): S3Credentials => {
    const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')];
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new UsageError(
        'a lake in a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the files that AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE name',
      );
    return { accessKeyId, secretAccessKey, sessionToken: read('AWS_SESSION_TOKEN') };
  };
  let known = readAll();
  let at = performance.now();
  return () => {
    if (performance.now() - at < freshMs) return known;
    at = performance.now();
    try {
      known = readAll();
    } catch {
      // A file that is being replaced: the next look finds it.
    }
    return known;
  };
}
