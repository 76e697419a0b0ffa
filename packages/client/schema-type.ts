/** The subset of JSON Schema that the API uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  'x-media'?: string;
}

/** Returns a JSON Schema as the source of a TypeScript type. `name` maps a `$ref` to a type name. */
export function schemaType(schema: Schema, name = nameOf): string {
  const { $ref, type, anyOf, items, prefixItems, properties, additionalProperties: more } = schema;
  const inner = (one: Schema) => schemaType(one, name);
  if ($ref) return name($ref);
  if (anyOf) return [...new Set(anyOf.map(inner))].join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(type)) return type.map(one => inner({ ...schema, type: one })).join(' | ');
  if (schema.enum && type !== 'null')
    return schema.enum
      .filter(value => value !== null)
      .map(literal)
      .join(' | ');
  if (prefixItems) return `[${prefixItems.map(inner).join(', ')}]`;
  if (type === 'array') return `(${items ? inner(items) : 'unknown'})[]`;
  if (properties && Object.keys(properties).length > 0) return membersType(properties, schema.required, inner);
  if (type === 'object') return `Record<string, ${typeof more === 'object' ? inner(more) : 'unknown'}>`;
  if (schema['x-media']) return 'Media';
  return PLAIN[type ?? ''] ?? 'unknown';
}

const PLAIN: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const nameOf = ($ref: string) => $ref.split('/').at(-1)!;
const literal = (value: unknown) => JSON.stringify(value);

/** Returns the source of an object type, with a doc comment on each member. */
export function membersType(
  properties: Record<string, Schema>,
  required: readonly string[] = [],
  typeOf: (schema: Schema) => string = schemaType,
): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(wordsOf(schema))}${/^\w+$/.test(name) ? name : literal(name)}${mark}: ${typeOf(schema)};`;
  });
  return `{\n${members.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

/** Returns a doc comment, or an empty string for an empty text. */
export const comment = (text: string): string => text && `/** ${text.replaceAll('*/', '* /')} */\n`;

function wordsOf({ description, minimum, maximum, default: preset }: Schema): string {
  const isBound = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const rules = [
    description,
    minimum !== undefined && isBound && `${minimum} to ${maximum}`,
    preset !== undefined && `Default: ${literal(preset)}`,
  ];
  return sentences(rules);
}

/** Joins the parts that are present, each ended with a full stop. */
export const sentences = (parts: readonly (string | false | undefined)[]): string =>
  parts
    .filter(Boolean)
    .map(part => `${String(part).replace(/\.$/, '')}.`)
    .join(' ');
