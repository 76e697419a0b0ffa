import { join } from 'node:path';
import { env } from '#lib/env';
import { secret } from '#lib/secrets';
import { singleton } from '#lib/singleton';
import { StartError } from '#lib/start-error';
import { createBucketStore } from '#lib/storage/bucket';
import { gcsBucket } from '#lib/storage/gcs';
import { credentialsOfKeyFile, credentialsOfMachine } from '#lib/storage/google-credentials';
import { createLocalStore } from '#lib/storage/local';
import { s3Bucket, type S3Credentials } from '#lib/storage/s3';
import { throughThisDeployment } from '#lib/storage/signed-put';
import type { ByteStore, ClientAccess, Storage } from '#lib/storage/storage';
import { parseStorageUrl } from '#lib/storage-url';

/** Where this deployment keeps its media. */
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

/** The store at an address; without one, the folder for media on this machine. `access` is what clients can reach themselves. */
export function openStore(address: string | undefined): { bytes: ByteStore; access: ClientAccess | null } {
  const { DATA_DIR, AWS_REGION, GOOGLE_APPLICATION_CREDENTIALS: keyFile } = env();
  if (!address) return { bytes: createLocalStore(join(DATA_DIR, 'media')), access: null };
  const location = parseStorageUrl(address, AWS_REGION);
  if (location.id === 'local') return { bytes: createLocalStore(location.dir), access: null };
  return createBucketStore(
    location.id === 's3'
      ? s3Bucket(location, awsCredentials())
      : gcsBucket(location, keyFile ? credentialsOfKeyFile(keyFile) : credentialsOfMachine()),
  );
}

function awsCredentials(): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env();
  if (!accessKeyId || !secretAccessKey)
    throw new StartError('An s3:// store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  return { accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN };
}
