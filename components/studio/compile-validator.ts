import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone';
import { toFormSchema } from '#components/studio/to-form';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Replaces the only function that compiled Ajv code requires at run time: the length of a string in characters. */
const PRELUDE = 'const require = () => ({ default: text => [...text].length });\n';

/**
 * Compiles the validator of an architecture's form into a JavaScript module. This happens on the server: the browser
 * would need `eval`, which the content security policy forbids. The options are those of `@rjsf/validator-ajv8`.
 */
export function compileValidator(entry: CatalogEntry): string {
  const code = { source: true, esm: true, lines: true };
  const ajv = new Ajv({ allErrors: true, multipleOfPrecision: 8, strict: false, verbose: true, code });
  return PRELUDE + standaloneCode(ajv, ajv.compile(toFormSchema(entry)));
}
