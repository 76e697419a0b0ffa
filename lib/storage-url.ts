import { fileURLToPath } from 'node:url';

interface BucketLocation {
  bucket: string;
  /** URL of the bucket for processes of this deployment, without a trailing slash. */
  address: string;
  /** URL of the bucket for clients, without a trailing slash. */
  publicAddress: string;
  /** Prefix of all keys: empty, or a folder with a trailing slash. */
  prefix: string;
}

export interface S3Location extends BucketLocation {
  id: 's3';
  region: string;
  /** Whether the store supports the header If-None-Match. */
  conditional: boolean;
}

export interface GcsLocation extends BucketLocation {
  id: 'gcs';
}

export type StorageLocation = { id: 'local'; dir: string } | S3Location | GcsLocation;

const PARAMETERS = {
  s3: ['endpoint', 'public_endpoint', 'region', 'path_style', 'if_none_match'],
  gcs: ['endpoint', 'public_endpoint'],
} as const;

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;

/**
 * Parses a storage URL: `file:///folder`, `s3://bucket/prefix?endpoint=…&region=…` or `gcs://bucket/prefix`.
 * Throws an error whose message follows "must be" and repeats no secret.
 */
export function parseStorageUrl(text: string, defaultRegion = 'us-east-1'): StorageLocation {
  const url = URL.parse(text);
  const scheme = url?.protocol.slice(0, -1);
  if (scheme === 'file') return { id: 'local', dir: folderOf(url!) };
  if (scheme !== 's3' && scheme !== 'gcs')
    throw new Error(
      'an address such as file:///srv/media, s3://bucket/prefix?region=eu-central-1 or gcs://bucket/prefix',
    );
  const { host: bucket, pathname, searchParams, username, password } = url!;
  if (username || password) throw new Error('without keys in it; they are settings of their own');
  if (!BUCKET.test(bucket))
    throw new Error(`an address whose bucket is a bucket's name, such as ${scheme}://my-bucket`);
  const prefix = pathname.replace(/^\//, '').replace(/([^/])$/, '$1/');
  if (!PREFIX.test(prefix)) throw new Error('an address whose path has letters, digits and . _ - only');
  const known: readonly string[] = PARAMETERS[scheme];
  for (const name of searchParams.keys())
    if (!known.includes(name)) throw new Error(`without ${name}=; it may have ${known.join(', ')}`);

  const endpoint = originIn(searchParams, 'endpoint');
  const publicEndpoint = originIn(searchParams, 'public_endpoint');
  if (scheme === 'gcs') {
    const inner = endpoint ?? 'https://storage.googleapis.com';
    return { id: 'gcs', bucket, prefix, ...addresses(inner, publicEndpoint ?? inner, bucket, true) };
  }
  const region = searchParams.get('region') ?? defaultRegion;
  const pathStyle = switchIn(searchParams, 'path_style') ?? (endpoint !== null || bucket.includes('.'));
  const inner = endpoint ?? `https://s3.${region}.amazonaws.com`;
  return {
    id: 's3',
    bucket,
    region,
    prefix,
    conditional: switchIn(searchParams, 'if_none_match') ?? true,
    ...addresses(inner, publicEndpoint ?? inner, bucket, pathStyle),
  };
}

function folderOf(url: URL): string {
  if (url.host) throw new Error('with three slashes when it is a folder, such as file:///srv/media');
  const folder = fileURLToPath(url);
  // the root would turn the whole file system into the media folder
  if (folder === '/') throw new Error('with a folder, such as file:///srv/media');
  return folder;
}

function addresses(inner: string, outer: string, bucket: string, pathStyle: boolean) {
  const of = (origin: string) => (pathStyle ? `${origin}/${bucket}` : origin.replace('://', `://${bucket}.`));
  return { address: of(inner), publicAddress: of(outer) };
}

function originIn(parameters: URLSearchParams, name: string): string | null {
  const text = parameters.get(name);
  if (text === null) return null;
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url || url.pathname !== '/' || url.search || url.username)
    throw new Error(`an address whose ${name} is an http or https origin without a path`);
  return url.origin;
}

function switchIn(parameters: URLSearchParams, name: string): boolean | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (text !== 'on' && text !== 'off') throw new Error(`an address whose ${name} is on or off`);
  return text === 'on';
}
