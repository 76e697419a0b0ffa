type Fetch = typeof globalThis.fetch;

/** A fetch that tells how much of a file has left, 0 to 1. */
export const watchedFetch = (fetch: Fetch, onProgress: (part: number) => void): Fetch =>
  typeof XMLHttpRequest === 'undefined' ? countingFetch(fetch, onProgress) : requestFetch(onProgress);

/** Counts what is read of the file. The store wants to know its length beforehand, which a stream does not tell. */
const countingFetch =
  (fetch: Fetch, onProgress: (part: number) => void): Fetch =>
  (url, init = {}) => {
    const file = init.body as Blob;
    let sent = 0;
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        sent += chunk.byteLength;
        out.enqueue(chunk);
        onProgress(sent / file.size);
      },
    });
    const headers = new Headers(init.headers);
    headers.set('content-length', String(file.size));
    const streamed = { ...init, headers, body: file.stream().pipeThrough(count), duplex: 'half' };
    return fetch(url, streamed);
  };

const BODILESS = [204, 205, 304];

function answerOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // a body, an empty one too, is refused with these
  return new Response(BODILESS.includes(xhr.status) ? null : xhr.responseText, { status: xhr.status, headers });
}

/** In pages fetch cannot tell how far a body has gone; the older way can. */
const requestFetch =
  (onProgress: (part: number) => void): Fetch =>
  (url, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'PUT', headers, body, signal } = init;
      const xhr = new XMLHttpRequest();
      xhr.open(method, String(url));
      new Headers(headers).forEach((value, name) => xhr.setRequestHeader(name, value));
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
      xhr.onerror = () => reject(new TypeError('The upload was interrupted.'));
      xhr.onabort = () => reject(signal?.reason as Error);
      xhr.onload = () => resolve(answerOf(xhr));
      signal?.addEventListener('abort', () => xhr.abort(), { once: true });
      if (signal?.aborted) reject(signal.reason as Error);
      else xhr.send(body as Blob);
    });
