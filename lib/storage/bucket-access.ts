import type { Bucket } from '#lib/storage/bucket';
import { readXml } from '#lib/storage/bucket-answer';
import type { ClientAccess } from '#lib/storage/storage';

/** Period in which a read URL stays the same, so that browsers can cache it; it is valid for at most twice as long. */
const LINK_MS = 600_000;
/** Maximum number of cached URLs. */
const MOST_LINKS = 5_000;

/** Direct access of clients to media in a bucket. */
export function createBucketAccess(bucket: Bucket): ClientAccess {
  const nameOf = (key: string) => bucket.prefix + key;
  /** Cache of signed URLs, because signing may need a request to another service. */
  const links = new Map<string, Promise<string>>();

  return {
    origin: bucket.origin,

    async signPut(key, { contentType, maxBytes, expiresAt }) {
      const headers = { 'Content-Type': contentType, [bucket.rangeHeader]: `0,${maxBytes}` };
      const url = await bucket.sign({ method: 'PUT', name: nameOf(key), headers }, wholeSecond(), expiresAt);
      return { url, method: 'PUT', headers };
    },

    async accept(key, as) {
      const headers = { [bucket.sourceHeader]: `${bucket.name}/${nameOf(key)}` };
      const answer = await bucket.send({ method: 'PUT', name: nameOf(as), headers });
      if (answer.statusCode === 404) return answer.body.dump().then(() => false);
      await readXml(answer, `the copy of ${key}`);
      return true;
    },

    signGet(key, { headers, expiresAt }) {
      const from = new Date(Math.floor(Date.now() / LINK_MS) * LINK_MS);
      const until = new Date(Math.min(from.getTime() + 2 * LINK_MS, expiresAt.getTime()));
      const query = Object.fromEntries(Object.entries(headers).map(([name, value]) => [`response-${name}`, value]));
      const asked = { method: 'GET', name: nameOf(key), query } as const;
      const which = JSON.stringify([asked, until]);
      const link = links.get(which) ?? bucket.sign(asked, from, until);
      if (links.size >= MOST_LINKS) links.clear();
      links.set(which, link);
      // failures are not cached
      link.catch(() => links.delete(which));
      return link;
    },
  };
}

/** Now, in whole seconds, as signatures count time. */
const wholeSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000);
