import { many } from '#lib/contract/words';
import type { Schema } from '#lib/docs/read-openapi';

/** Returns the limits that a schema sets, as short phrases. */
export function limitsOf({ minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems }: Schema): string[] {
  return [
    multipleOf === 1 ? 'whole number' : '',
    range(minimum, maximum, String),
    // a minimum alone only says that a text is not empty
    maxLength === undefined ? '' : range(minLength, maxLength, count => many(count, 'character')),
    range(minItems, maxItems, count => many(count, 'item')),
  ].filter(Boolean);
}

function range(least: number | undefined, most = Infinity, said: (limit: number) => string): string {
  if (most >= Number.MAX_SAFE_INTEGER) return least ? `at least ${said(least)}` : '';
  if (least === most) return said(most);
  return least === undefined ? `up to ${said(most)}` : `${least} to ${said(most)}`;
}
