import { bodiesOf } from '#lib/catalog/recipe-bodies';
import { hasInputs } from '#lib/generations/has-result';
import type { Run } from '#lib/recipes/runs';
import { outputsOf, type Made } from '#lib/recipes/standing';
import { storage } from '#lib/storage/store';
import { isOwnAddress } from '#lib/uploads/key-of-url';

type Values = Record<string, unknown>;

/**
 * Returns the current values for the templates of a run: its inputs and the outputs of its steps. An input URL is
 * replaced by the stored file that a request fetched from it, while that is kept, since the URL may have expired.
 */
export function valuesNow({ steps, values }: Run, made: Made): Values {
  const outputs = outputsOf(steps, made, key => storage().url(key));
  const stored = storedOf(steps, made, { ...values, ...outputs });
  return { ...exchanged(values, stored), ...outputs };
}

/** Maps the URLs given to requests of the run to the URLs of the files that were fetched from them. */
function storedOf(steps: Run['steps'], made: Made, values: Values): ReadonlyMap<unknown, unknown> {
  const pairs = steps.flatMap((step, at) => {
    const asked = bodiesOf(step, values);
    return made[at]!.flatMap((request, item) =>
      request && hasInputs(request)
        ? Object.entries(asked[item] ?? {}).flatMap(([field, value]) => {
            const used = [request.body[field]].flat();
            return [value].flat().map((address, i): [unknown, unknown] => [address, used[i]]);
          })
        : [],
    );
  });
  return new Map(pairs.filter(([address, file]) => isStored(file) && !isStored(address)));
}

const isStored = (value: unknown): boolean => typeof value === 'string' && isOwnAddress(value);

const exchanged = (values: Values, stored: ReadonlyMap<unknown, unknown>): Values => {
  const exchange = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(exchange) : (stored.get(value) ?? value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, exchange(value)]));
};
