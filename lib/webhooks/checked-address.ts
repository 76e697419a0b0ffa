import { invalid, type Issue } from '#lib/errors';
import { mustBe } from '#lib/issue';
import { checkRemoteAddress } from '#lib/media/remote-address';

const ADDRESS = 'an https address of a public server, on port 443 or one from 1024 on, without user name and password';

interface Place {
  path: string;
  name?: string;
}

/**
 * Returns an address for messages in its normal form, or what is wrong with it. Only the form is checked here: the host
 * is resolved and checked for each message.
 */
export function readAddress(
  url: string,
  { path, ...wording }: Place,
): { address: string; issue?: never } | { address?: never; issue: Issue } {
  try {
    return { address: checkRemoteAddress(url, { plainInside: true }).href };
  } catch {
    return { issue: mustBe(path, ADDRESS, url, wording) };
  }
}

/** Returns an address for messages in its normal form. Throws `invalid_request`. */
export function checkedAddress(url: string): string {
  const { address, issue } = readAddress(url, { path: '/url' });
  if (issue) throw invalid('invalid_request', [issue]);
  return address;
}
