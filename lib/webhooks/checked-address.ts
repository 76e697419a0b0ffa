import { invalid, type InvalidCode } from '#lib/errors';
import { mustBe } from '#lib/issue';
import { checkRemoteAddress } from '#lib/media/remote-address';

const ADDRESS = 'an https address of a public server, on port 443 or one from 1024 on, without user name and password';

/**
 * An address that may be sent to, as it is stored. Only its form is looked at: where its host leads is found out with every
 * message. Throws what is said of a bad request.
 */
export function checkedAddress(
  url: string,
  code: InvalidCode = 'invalid_request',
  { path, name }: { path: string; name?: string } = { path: '/url' },
): string {
  try {
    return checkRemoteAddress(url, { plainInside: true }).href;
  } catch (cause) {
    throw invalid(code, [mustBe(path, ADDRESS, url, name === undefined ? {} : { name })], { cause });
  }
}
