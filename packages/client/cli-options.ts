import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Schema } from './schema-type.ts';
import type { Architecture } from './wire.ts';

/** An invalid command line or environment. */
export class UsageError extends Error {}

export interface Options {
  config: Record<string, unknown>;
  output: string | undefined;
  wait: boolean;
  json: boolean;
  quiet: boolean;
  price: boolean;
  help: boolean;
  request: string | undefined;
  maxGems: number | undefined;
  idempotencyKey: string | undefined;
}

export const USAGE = `pomona-run MODEL "PROMPT" [--FIELD VALUE …] [options]
pomona-run --request ID [options]     resumes a request that was submitted before
pomona-run MODEL --help               the fields of a model
pomona-run --models                   every model, what it makes, and its gems
pomona-run --types > pomona.d.ts      the fields of every model, for the TypeScript client

  -o, --output FILE   wait, and save the result; - writes it to the output
  -w, --wait          wait, and print the address of the result
      --json          print the request as JSON
      --price         print what it would cost; nothing is submitted
      --max-gems N    submit only when it costs no more
      --idempotency-key KEY   pays once, however often it is run with this key
  -q, --quiet         no progress
      
POMONA_URL is the address of the deployment, POMONA_KEY a key. Without -o and -w, the id of the request is printed at once.
Fields that take media take a file as well as an address. Exits with 1 when it is refused or fails, with 2 when it is called wrongly.`;

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  wait: { type: 'boolean', short: 'w' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  price: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  request: { type: 'string' },
  'max-gems': { type: 'string' },
  'idempotency-key': { type: 'string' },
} as const;

const fieldsOf = ({ input_schema }: Architecture) => Object.entries(input_schema.properties as Record<string, Schema>);
const kindOf = ({ type }: Schema): string => String([type].flat()[0]);

/** Parses the command line after the name of the model. The fields of the model are options too. */
export async function readOptions(entry: Architecture | undefined, args: string[]): Promise<Options> {
  const fields = entry ? fieldsOf(entry) : [];
  const own = fields.map(([name, schema]) => [name, { type: 'string' as const, multiple: kindOf(schema) === 'array' }]);
  const { values, positionals } = parse(args, { ...Object.fromEntries(own), ...OPTIONS });
  const given: Record<string, unknown> = { ...values, ...(positionals.length > 0 && { prompt: positionals[0] }) };
  if (positionals.length > 1) throw new UsageError(`What is "${positionals[1]}"? Put the prompt in quotes.`);
  const maxGems = given['max-gems'] as string | undefined;
  const config = fields.flatMap(([name, schema]) =>
    given[name] === undefined ? [] : [valueOf(name, schema, given[name])],
  );
  return {
    config: Object.fromEntries(await Promise.all(config)),
    output: given.output as string | undefined,
    request: given.request as string | undefined,
    wait: given.wait === true,
    json: given.json === true,
    quiet: given.quiet === true,
    price: given.price === true,
    help: given.help === true,
    idempotencyKey: given['idempotency-key'] as string | undefined,
    maxGems: maxGems === undefined ? undefined : numberOf('max-gems', maxGems),
  };
}

type OptionTable = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parse(args: string[], options: OptionTable): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Converts an argument to the type of its field: a number, a boolean, a file, a list of files. */
async function valueOf(name: string, schema: Schema, given: unknown): Promise<[string, unknown]> {
  if (schema['x-media']) return [name, Array.isArray(given) ? await Promise.all(given.map(media)) : await media(given)];
  const kind = kindOf(schema);
  const isNumber = kind === 'integer' || kind === 'number';
  return [name, isNumber ? numberOf(name, given) : kind === 'boolean' ? truthOf(name, given) : given];
}

/** Throws `UsageError` for anything but a finite number: NaN would be sent as null, which has a meaning of its own. */
function numberOf(name: string, given: unknown): number {
  const value = given === '' ? NaN : Number(given);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`--${name} takes a number, not "${String(given)}".`);
}

function truthOf(name: string, given: unknown): boolean {
  if (given === 'true' || given === 'false') return given === 'true';
  throw new UsageError(`--${name} takes true or false, not "${String(given)}".`);
}

async function media(given: unknown): Promise<unknown> {
  const text = String(given);
  if (/^(https?|data):/i.test(text)) return text;
  try {
    return new File([await openAsBlob(text)], basename(text));
  } catch {
    throw new UsageError(`The file ${text} cannot be read.`);
  }
}

/** Returns the help text of a model, with one field per line. */
export function helpFor(entry: Architecture): string {
  const lines = fieldsOf(entry).map(([name, schema]) => {
    const what =
      schema.enum?.join(' | ') ?? (schema['x-media'] ? `file or address (${schema['x-media']})` : kindOf(schema));
    return `  --${name.padEnd(22)}${what}${schema.default === undefined ? '' : ` (${String(schema.default)})`}`;
  });
  return `${entry.name}: ${entry.description} ${entry.gems} gems with the defaults.\n\n${lines.join('\n')}`;
}
