import { toTitle } from '#components/ui/to-title';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire } from '#lib/contract/schemas';

/** Settings that are shown apart from the others. */
const TOLD = ['prompt', 'seed', 'model_id', 'duration'];

/** Returns the settings of a request with their titles, in the order of the form. */
export function settingsOf(
  { config = {} }: Partial<Pick<RequestDetailWire, 'config'>>,
  entry: CatalogEntry | undefined,
): [title: string, value: unknown][] {
  const properties = entry?.input_schema.properties ?? {};
  const order = Object.keys(properties);
  return Object.entries(config)
    .filter(([name, value]) => !TOLD.includes(name) && value !== null && value !== '')
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([name, value]) => [
      String(properties[name]?.title ?? toTitle(name)),
      typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value,
    ]);
}

/** Whether a value is a number or a text other than the address of a file. */
export const isPlain = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && !/^(https?:|data:)/.test(value));
