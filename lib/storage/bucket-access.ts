import type { Bucket } from '#lib/storage/bucket';
import { readXml } from '#lib/storage/bucket-answer';
import type { ClientAccess } from '#lib/storage/storage';

/** Addresses to read from stay the same for so long, so that browsers can keep what they have seen; they live twice as long at most. */
const LINK_MS = 600_000;
/** That are remembered. */
const MOST_LINKS = 5_000;

/** How clients reach media in a bucket themselves. */
export function createBucketAccess(bucket: Bucket): ClientAccess {
  const nameOf = (key: string) => bucket.prefix + key;
  /** Signed addresses: a signature may be another machine's to make. */
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
      // a failure is not remembered
      link.catch(() => links.delete(which));
      return link;
    },
  };
}

/** Signatures count in these. */
const wholeSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000);
