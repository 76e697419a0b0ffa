import { beginning } from '#lib/beginning';
import type { Issue } from '#lib/errors';
import { pointer, shown } from '#lib/issue';

/** Unknown members that are named; a hostile body can carry a million. */
const MOST_UNKNOWN = 20;

/** Members of a body that nothing known takes; `advice` says of the beginning of a name what was probably meant. */
export function unknownMembers(
  body: Record<string, unknown>,
  known: object,
  what: string,
  advice: (start: string) => string,
): Issue[] {
  const unknown = Object.keys(body).filter(member => !Object.hasOwn(known, member));
  const named = unknown.slice(0, MOST_UNKNOWN).map(member => {
    const start = beginning(member, 60);
    // half a name is the name of another member
    return {
      path: start === member ? pointer(member) : '',
      message: `${shown(member)} is no ${what} and was ignored; ${advice(start)}.`,
    };
  });
  const rest = unknown.length - named.length;
  const more = { path: '', message: `So were ${rest.toLocaleString('en')} more members that are no ${what}.` };
  return rest > 0 ? [...named, more] : named;
}
