import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { request } from 'undici';
import { log } from '#lib/log';
import type { Bucket, BucketRequest } from '#lib/storage/bucket';
import { headOf, readXml, TAKEN } from '#lib/storage/bucket-answer';
import { isNewMediaKey } from '#lib/storage/media-key';
import { StoreAway } from '#lib/storage/refusals';
import { retryingAgent } from '#lib/storage/retrying-agent';
import type { S3Location } from '#lib/storage-url';

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken?: string | undefined;
}

/** A bucket of S3, or of a store that is compatible with S3. */
export function s3Bucket(location: S3Location, credentials: S3Credentials): Bucket {
  const { bucket, address, publicAddress, region, prefix, conditional } = location;

  const signed = (base: string, { method, name, query, headers }: BucketRequest, options: object) => {
    const url = new URL(name === undefined ? base : `${base}/${name}`);
    for (const [parameter, value] of Object.entries(query ?? {})) url.searchParams.set(parameter, value);
    return new AwsV4Signer({
      method,
      url: url.href,
      headers,
      region,
      service: 's3',
      ...credentials,
      ...options,
    }).sign();
  };

  const send: Bucket['send'] = async asked => {
    const { method, url, headers } = await signed(address, asked, {});
    return request(url, {
      method: method as BucketRequest['method'],
      headers: Object.fromEntries(headers),
      body: asked.body,
      signal: asked.signal,
      dispatcher: retryingAgent(),
    });
  };

  const abort = async (name: string, uploadId: string) => {
    await headOf(await send({ method: 'DELETE', name, query: { uploadId } }), `the end of ${name}`, [404]);
  };

  const putPart = async (name: string, uploadId: string, partNumber: number, body: Buffer): Promise<string> => {
    const headers = { 'content-md5': hash('md5', body, 'base64') };
    const query = { partNumber: String(partNumber), uploadId };
    const sent = await send({ method: 'PUT', name, query, headers, body });
    return String((await headOf(sent, `part ${partNumber} of ${name}`)).headers.etag);
  };

  const isThere = async (name: string): Promise<boolean> =>
    (await headOf(await send({ method: 'HEAD', name }), `HEAD ${name}`, [404])).statusCode !== 404;

  /** Completes a multipart upload. Returns false when the name is taken. */
  const complete = async (name: string, uploadId: string, etags: string[]): Promise<boolean> => {
    const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const headers = { 'content-type': 'application/xml', ...createOnly };
    const answer = await send({ method: 'POST', name, query: { uploadId }, headers, body });
    if (TAKEN.includes(answer.statusCode)) return answer.body.dump().then(() => false);
    // either a retry finds the upload completed, as the first response was lost, or the upload was aborted
    if (answer.statusCode === 404) {
      await answer.body.dump();
      if (await isThere(name)) return false;
      throw new StoreAway(`the object store does not know the upload that was to get the last of ${name}`);
    }
    await readXml(answer, `the last of ${name}`);
    return true;
  };

  const createOnly: Bucket['createOnly'] = conditional ? { 'If-None-Match': '*' } : {};

  return {
    id: 's3',
    name: bucket,
    origin: new URL(publicAddress).origin,
    prefix,
    createOnly,
    // S3 cannot limit the length of a PUT: this header only records the limit, as metadata of the object
    rangeHeader: 'x-amz-meta-content-length-range',
    sourceHeader: 'x-amz-copy-source',
    send,

    async sign(asked, from, expiresAt) {
      const seconds = Math.ceil((expiresAt.getTime() - from.getTime()) / 1000);
      const query = { ...asked.query, 'X-Amz-Expires': String(Math.max(1, seconds)) };
      const datetime = from.toISOString().replace(/[:-]|\.\d{3}/g, '');
      const options = { signQuery: true, allHeaders: true, datetime };
      return (await signed(publicAddress, { ...asked, query }, options)).url.href;
    },

    async putParts(name, contentType, parts) {
      const headers = { 'content-type': contentType };
      const begun = await readXml(await send({ method: 'POST', name, query: { uploads: '' }, headers }), name);
      const uploadId = begun.text('UploadId');
      const etags: string[] = [];
      let sending = Promise.resolve();
      try {
        for await (const part of parts) {
          // one part is sent while the next one is read
          await sending;
          sending = putPart(name, uploadId, etags.length + 1, part).then(etag => void etags.push(etag));
          // the error is thrown where `sending` is awaited
          sending.catch(() => {});
        }
        await sending;
        const written = await complete(name, uploadId, etags);
        if (!written) await abort(name, uploadId);
        return written;
      } catch (error) {
        // a part that arrives after the abort would be left behind
        await sending.catch(() => {});
        // when the abort fails too, `sweepUnfinished` removes the upload later
        await abort(name, uploadId).catch(failure =>
          log().warn({ err: failure, name }, 'unfinished multipart upload not aborted'),
        );
        throw error;
      }
    },

    async sweepUnfinished(before) {
      let swept = 0;
      let marker: Record<string, string> | null = {};
      while (marker) {
        const query: Record<string, string> = { uploads: '', prefix, ...marker };
        const page = await readXml(await send({ method: 'GET', query }), 'the list of unfinished uploads');
        for (const { Key, UploadId, Initiated } of page.all('Upload')) {
          const isOurs = isNewMediaKey(String(Key).slice(prefix.length));
          if (!isOurs || new Date(String(Initiated)) >= before) continue;
          await abort(String(Key), String(UploadId));
          swept++;
        }
        const more = page.text('IsTruncated') === 'true';
        marker = more
          ? { 'key-marker': page.text('NextKeyMarker'), 'upload-id-marker': page.text('NextUploadIdMarker') }
          : null;
      }
      return swept;
    },
  };
}
