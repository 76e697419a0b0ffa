import { join, resolve } from 'node:path';
import { env } from '#lib/env';
import { secret } from '#lib/secrets';
import { singleton } from '#lib/singleton';
import { StartError } from '#lib/start-error';
import { createBucketAccess } from '#lib/storage/bucket-access';
import { createBucketStore } from '#lib/storage/bucket';
import { gcsBucket } from '#lib/storage/gcs';
import { credentialsOfKeyFile, credentialsOfMachine } from '#lib/storage/google-credentials';
import { createLocalStore } from '#lib/storage/local';
import { s3Bucket, type S3Credentials } from '#lib/storage/s3';
import { throughThisDeployment } from '#lib/storage/signed-put';
import type { ByteStore, ClientAccess, Storage } from '#lib/storage/storage';
import { parseStorageUrl, type StorageLocation } from '#lib/storage-url';

/** Returns the storage of this deployment's media. */
export const storage = (): Storage =>
  singleton('storage', () => {
    const { STORAGE_URL, MEDIA_DELIVERY, BASE_URL, MEDIA_URL } = env();
    const { bytes, access } = openStore(STORAGE_URL);
    const direct = MEDIA_DELIVERY === 'redirect' ? access : null;
    return {
      ...bytes,
      ...(direct ?? throughThisDeployment({ baseUrl: BASE_URL, secret: secret('media') })),
      url: key => `${MEDIA_URL}/media/${key}`,
    };
  });

/** Opens the store at an address, by default the local media folder. `access` is null if clients cannot reach it. */
export function openStore(address: string | undefined): { bytes: ByteStore; access: ClientAccess | null } {
  const { GOOGLE_APPLICATION_CREDENTIALS: keyFile } = env();
  const location = locationOf(address);
  if (location.id === 'local') return { bytes: createLocalStore(location.dir), access: null };
  const bucket =
    location.id === 's3'
      ? s3Bucket(location, awsCredentials())
      : gcsBucket(location, keyFile ? credentialsOfKeyFile(keyFile) : credentialsOfMachine());
  return { bytes: createBucketStore(bucket), access: createBucketAccess(bucket) };
}

function locationOf(address: string | undefined): StorageLocation {
  const { DATA_DIR, AWS_REGION } = env();
  return address ? parseStorageUrl(address, AWS_REGION) : { id: 'local', dir: join(DATA_DIR, 'media') };
}

/** Whether two stores share files, because they are the same or one lies within the other. */
export function storesOverlap(...stores: [string | undefined, string | undefined]): boolean {
  const [one, other] = stores
    .map(locationOf)
    .map(at => (at.id === 'local' ? `${resolve(at.dir)}/` : `${at.address}/${at.prefix}`));
  return one!.startsWith(other!) || other!.startsWith(one!);
}

function awsCredentials(): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env();
  if (!accessKeyId || !secretAccessKey)
    throw new StartError('An s3:// store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  return { accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN };
}
