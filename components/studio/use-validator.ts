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

/** Accepts every config until the compiled validator is loaded; the server validates in any case. */
const permissive: Validator = {
  isValid: () => true,
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};

/** Loaded validators with their schemas: the form library throws when it validates with another schema. */
const loaded = new Map<string, { schema: string; coming: Promise<Validator> }>();

/**
 * Returns the validator that the server compiled for this entry. `revision` is the catalog's at page load: if the entry
 * has changed since, everything is accepted, because a browser evaluates the module of a URL only once.
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
      // the next mount of the form tries again
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
