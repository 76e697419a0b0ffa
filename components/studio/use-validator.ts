'use client';

import { useEffect, useState } from 'react';
import type { Config } from '#components/studio/config';
import type { Fault } from '#components/studio/field-faults';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What is wrong with a config. */
type Validator = (config: Config) => readonly Fault[];

/** Until the compiled one is here the form takes everything; the server checks in any case. */
const permissive: Validator = () => [];

const loaded = new Map<string, Promise<Validator>>();

/** The validator that the server has compiled for this entry. `revision` is the catalog's. */
export function useValidator(entry: CatalogEntry, revision: string): Validator {
  const [found, setFound] = useState<{ entry: CatalogEntry; validator: Validator }>();
  useEffect(() => {
    let isWanted = true;
    const address = `/studio-validators/${encodeURIComponent(revision)}/${entry.id}`;
    const known = loaded.get(address) ?? load(address);
    loaded.set(address, known);
    known.then(
      validator => isWanted && setFound({ entry, validator }),
      // the next visit of the form tries again
      () => loaded.delete(address),
    );
    return () => void (isWanted = false);
  }, [entry, revision]);
  return found?.entry === entry ? found.validator : permissive;
}

async function load(address: string): Promise<Validator> {
  const { validate } = (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ address)) as {
    validate: ((config: Config) => boolean) & { errors?: Fault[] | null };
  };
  return config => (validate(config) ? [] : (validate.errors ?? []));
}
