import { isOver } from '#components/generations/words';
import type { RequestWire } from '#lib/contract/schemas';

/** Returns why a result has no file. */
export const goneOf = ({ result, removed_at }: Pick<Partial<RequestWire>, 'result' | 'removed_at'>): string =>
  removed_at ? 'Deleted' : result && isOver(result.expires_at) ? 'Expired' : 'The file is gone';
