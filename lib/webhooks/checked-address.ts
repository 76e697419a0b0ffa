import { invalid, type Issue } from '#lib/errors';
import { mustBe } from '#lib/issue';
import { checkRemoteAddress } from '#lib/media/remote-address';

const ADDRESS = 'an https address of a public server, on port 443 or one from 1024 on, without user name and password';

interface Place {
  path: string;
  name?: string;
}

/**
 * An address that may be sent to, as it is stored, or what is wrong with it. Only its form is looked at: where its host leads is
 * found out with every message.
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

/** Such an address. Throws `invalid_request`. */
export function checkedAddress(url: string): string {
  const { address, issue } = readAddress(url, { path: '/url' });
  if (issue) throw invalid('invalid_request', [issue]);
  return address;
}
