'use client';

import { useEffect, useState } from 'react';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import type { ValidatorFunctions } from '@rjsf/validator-ajv8';
import createPrecompiledValidator from '@rjsf/validator-ajv8/lib/createPrecompiledValidator.js';
import type { Config } from '#components/studio/config';
import type { FormContext } from '#components/studio/form-context';
import { toFormSchema } from '#components/studio/to-form';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

type Validator = ValidatorType<Config, RJSFSchema, FormContext>;

/** Until the compiled one is here the form takes everything; the server checks in any case. */
const permissive: Validator = {
  isValid: () => true,
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};

/** With the schema that each is of: the form library throws where it is to judge by another one. */
const loaded = new Map<string, { schema: string; coming: Promise<Validator> }>();

/**
 * The validator that the server has compiled for this entry. `revision` is the catalog's as the page was made: when the entry has
 * changed since, there is none, for a browser runs the module of an address once.
 */
export function useValidator(entry: CatalogEntry, revision: string): Validator {
  const [found, setFound] = useState<{ entry: CatalogEntry; validator: Validator }>();
  useEffect(() => {
    let isWanted = true;
    const address = `/studio-validators/${encodeURIComponent(revision)}/${entry.id}`;
    const schema = JSON.stringify(toFormSchema(entry));
    const known = loaded.get(address) ?? { schema, coming: load(address, entry) };
    loaded.set(address, known);
    known.coming.then(
      validator => isWanted && known.schema === schema && setFound({ entry, validator }),
      // the next visit of the form tries again
      () => loaded.delete(address),
    );
    return () => void (isWanted = false);
  }, [entry, revision]);
  return found?.entry === entry ? found.validator : permissive;
}

async function load(address: string, entry: CatalogEntry): Promise<Validator> {
  const { validate } = (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ address)) as {
    validate: ValidatorFunctions[string];
  };
  return createPrecompiledValidator<Config, RJSFSchema, FormContext>(
    { [entry.id]: validate },
    toFormSchema(entry) as RJSFSchema,
  );
}
