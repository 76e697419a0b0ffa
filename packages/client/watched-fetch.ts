type Fetch = typeof globalThis.fetch;

/** Returns a fetch that reports the fraction of its body sent so far, 0 to 1. */
export const watchedFetch = (fetch: Fetch, onProgress: (part: number) => void): Fetch =>
  typeof XMLHttpRequest === 'undefined' ? countingFetch(fetch, onProgress) : requestFetch(onProgress);

/** Counts the bytes read from the file. Sets Content-Length, which the store requires and fetch omits for a stream. */
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
  // the Response constructor throws for any body, even an empty one, with these statuses
  return new Response(BODILESS.includes(xhr.status) ? null : xhr.responseText, { status: xhr.status, headers });
}

/** In browsers fetch reports no upload progress, so this uses XMLHttpRequest. */
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
