import { beginning } from '#lib/beginning';
import type { Issue } from '#lib/errors';
import { pointer, shown } from '#lib/issue';

/** Maximum number of unknown members that are named; a hostile body can have a million. */
const MOST_UNKNOWN = 20;

/** Returns warnings for members that are not `known`; `advice` suggests what the start of a name probably meant. */
export function unknownMembers(
  body: Record<string, unknown>,
  known: object,
  what: string,
  advice: (start: string) => string,
): Issue[] {
  const unknown = Object.keys(body).filter(member => !Object.hasOwn(known, member));
  const named = unknown.slice(0, MOST_UNKNOWN).map(member => {
    const start = beginning(member, 60);
    // no path for a truncated name, which could be that of another member
    return {
      path: start === member ? pointer(member) : '',
      message: `${shown(member)} is no ${what} and was ignored; ${advice(start)}.`,
    };
  });
  const rest = unknown.length - named.length;
  const more = { path: '', message: `So were ${rest.toLocaleString('en')} more members that are no ${what}.` };
  return rest > 0 ? [...named, more] : named;
}
