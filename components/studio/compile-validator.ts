import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone';
import { toFormSchema } from '#components/studio/to-form';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Ajv asks for one function at run time: the length of a text, in characters. */
const PRELUDE = 'const require = () => ({ default: text => [...text].length });\n';

/**
 * The validator of an architecture's form as a JavaScript module. Made on the server: compiling in the browser would need
 * `eval`, which the content policy forbids. The options are those of `@rjsf/validator-ajv8`.
 */
export function compileValidator(entry: CatalogEntry): string {
  const code = { source: true, esm: true, lines: true };
  const ajv = new Ajv({ allErrors: true, multipleOfPrecision: 8, strict: false, verbose: true, code });
  return PRELUDE + standaloneCode(ajv, ajv.compile(toFormSchema(entry)));
}
