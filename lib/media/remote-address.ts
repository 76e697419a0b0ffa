import { isIP } from 'node:net';
import { env } from '#lib/env';
import { isPublicAddress } from '#lib/media/public-address';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Most characters of an address, as it is sent and as it is kept: nobody's is longer, and each is stored with what was asked for. */
const MOST_CHARACTERS = 8_192;

/** One text for whatever is behind an address that may not be public: it is not ours to tell. */
export const NOT_PUBLIC = 'The address could not be fetched: no public server answers there.';

/** Names that lead to the machine itself, whoever is asked (RFC 6761). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/** The host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether the operator lets clients lead us to this host of the network inside. */
export const isAllowedInside = (host: string): boolean => env().ALLOWED_PRIVATE_HOSTS?.includes(host) ?? false;

/**
 * A client's address, if its form is one that is ever asked. Asks nobody. With `plainInside`, a host that the operator allows
 * inside may speak http. Throws `UnusableMedia`.
 */
export function checkRemoteAddress(address: string, { plainInside = false } = {}): URL {
  if (address.length > MOST_CHARACTERS) throw tooLong();
  const url = URL.parse(address);
  if (!url) throw new UnusableMedia('It must be an https URL, an upload URL or a data URL.');
  // what is no ASCII is written with up to nine characters each
  if (url.href.length > MOST_CHARACTERS) throw tooLong();
  const isPlain = plainInside && url.protocol === 'http:' && isAllowedInside(hostOf(url));
  if (url.protocol !== 'https:' && !isPlain)
    throw new UnusableMedia(`Only https addresses are fetched, no ${url.protocol.slice(0, 20)} ones.`);
  if (url.username || url.password)
    throw new UnusableMedia('An address with a user name or password is not fetched; use one that works without.');
  const port = Number(url.port || 443);
  if (port !== 443 && port < 1024) throw new UnusableMedia(`Port ${port} is not fetched; use 443 or one from 1024 on.`);
  const host = hostOf(url);
  const isInside = isIP(host) ? !isPublicAddress(host) : LOOPBACK_NAME.test(host);
  if (isInside && !isAllowedInside(host)) throw new UnusableMedia(NOT_PUBLIC);
  return url;
}

const tooLong = () => new UnusableMedia(`An address has at most ${MOST_CHARACTERS} characters; this one is longer.`);
