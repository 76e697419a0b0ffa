import { isIP } from 'node:net';
import { env } from '#lib/env';
import { isPublicAddress } from '#lib/media/public-address';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Maximum length of a URL, as sent and as normalised. Each URL is stored with its request. */
const MOST_CHARACTERS = 8_192;

/** The message for every address that is not public, so that it reveals nothing about the internal network. */
export const NOT_PUBLIC = 'The address could not be fetched: no public server answers there.';

/** Names that always resolve to the machine itself (RFC 6761). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/** Returns the host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether the operator allows clients' URLs to reach this host of the internal network. */
export const isAllowedInside = (host: string): boolean => env().ALLOWED_PRIVATE_HOSTS?.includes(host) ?? false;

/**
 * Checks the form of a client's URL, without any network access, and returns it parsed. With `plainInside`, http is
 * accepted for an internal host that the operator allows. Throws `UnusableMedia`.
 */
export function checkRemoteAddress(address: string, { plainInside = false } = {}): URL {
  if (address.length > MOST_CHARACTERS) throw tooLong();
  const url = URL.parse(address);
  if (!url) throw new UnusableMedia('It must be an https URL, an upload URL or a data URL.');
  // normalisation percent-encodes a non-ASCII character as up to nine characters
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
