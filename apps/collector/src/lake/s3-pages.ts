// Pages of a list of objects, or of their versions, from the XML of S3. Keys of a lake need no more than this.

/** An object, or a version of one. */
export interface S3Entry {
  readonly key: string;
  readonly bytes: number;
  /** `undefined` where objects were listed, not versions. */
  readonly version: string | undefined;
}

/** A page. */
export interface S3Page {
  /** Whether it is a list of versions. */
  readonly isOfVersions: boolean;
  readonly entries: readonly S3Entry[];
  /** Query of the next page; `undefined` after the last. */
  readonly next: Readonly<Record<string, string>> | undefined;
}

/** `undefined` where the text is no list. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function readPage(text: string): S3Page | undefined {
  const isOfVersions = text.includes('<ListVersionsResult');
  if (!isOfVersions && !text.includes('<ListBucketResult')) return undefined;
  const entries = [...text.matchAll(/<(Contents|Version|DeleteMarker)>([\s\S]*?)<\/\1>/g)].map(([, , inner = '']) => ({
    key: textIn(inner, 'Key') ?? '',
    bytes: Number(textIn(inner, 'Size') ?? 0),
    version: textIn(inner, 'VersionId'),
  }));
  const isCut = textIn(text, 'IsTruncated') === 'true';
  return { isOfVersions, entries, next: isCut ? nextOf(text, isOfVersions) : undefined };
}

function nextOf(text: string, isOfVersions: boolean): Readonly<Record<string, string>> | undefined {
  const token = textIn(text, 'NextContinuationToken');
  if (!isOfVersions) return token === undefined ? undefined : { 'continuation-token': token };
  const [key, version] = [textIn(text, 'NextKeyMarker'), textIn(text, 'NextVersionIdMarker')];
  return key === undefined ? undefined : { 'key-marker': key, ...(version && { 'version-id-marker': version }) };
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function textIn(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text) ?? [];
  return value?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, number?: string, word = '') => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return number === undefined ? (entities[word] ?? all) : String.fromCodePoint(Number(number));
  });
}
