// Where a bucket is and who may use it, from the command line and the variables that S3 programs share.
import { type Environment, readPlace, textsOfEnvironment } from '#kit/settings/read.js';
import type { S3Credentials, S3Place } from '../lake/s3-client.js';
import { UsageError } from '../usage-error.js';
import { bucketCredentials } from './collector-settings.js';
import { type Given, readFile } from './options.js';

/** Files with credentials are read again after so long. */
const freshMs = 60_000;

/** The bucket that `--lake s3://bucket/prefix` names; `undefined` for a folder. @throws UsageError */
export function readBucket(lake: string, given: Given): S3Place | undefined {
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
  const { VDS_S3_ENDPOINT: endpoint, VDS_S3_PATH_STYLE: isPathStyle = endpoint !== undefined } = given.settings();
  const { environment: env } = given;
  return {
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    endpoint,
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    // A host name with a dot in front of the store's fits no certificate.
    isPathStyle: isPathStyle || bucket.includes('.'),
    credentials: credentialsOf(env),
  };
}

/** Credentials from variables, or from the files that others name, which may change while the program runs. @throws UsageError */
function credentialsOf(env: Environment): () => S3Credentials {
  const readAll = (): S3Credentials => {
    const mistakes: string[] = [];
    const { values } = readPlace(bucketCredentials, [textsOfEnvironment(bucketCredentials, env)], {
      readFile,
      mistakes,
    });
    if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new UsageError(
        'a lake in a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the files that AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE name',
      );
    return { accessKeyId, secretAccessKey, sessionToken: values.AWS_SESSION_TOKEN };
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
