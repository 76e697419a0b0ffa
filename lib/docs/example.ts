import type { Call } from '#lib/docs/call-code';
import { withExampleModel } from '#lib/docs/example-model';
import { ANSWERS, BODIES, MEMBERS, OBJECTS } from '#lib/docs/example-values';
import { resolve, withoutNull, type OperationDoc, type Schema, type Schemas } from '#lib/docs/read-openapi';

/** Returns a value that fits the schema, with required members only, for member `name` of an object `of`. */
function exampleOf(schema: Schema, schemas: Schemas, name = '', of = ''): unknown {
  const own = OBJECTS[of]?.[name];
  if (own !== undefined) return own;
  const { schema: given, isNullable } = withoutNull(schema);
  const shape = withoutNull(resolve(given, schemas)).schema;
  if (name in MEMBERS && !(shape.enum && !shape.enum.includes(MEMBERS[name])) && !isStruct(name, shape))
    return MEMBERS[name];
  if (shape.const !== undefined) return shape.const;
  if (shape.default !== undefined) return shape.default;
  if (shape.enum) return shape.enum[0];
  if (shape['x-media'] && !shape.items) return MEMBERS.image;
  if (shape.properties) {
    const required = shape.required ?? [];
    const kind = given.$ref?.split('/').at(-1);
    const members = Object.entries(shape.properties).filter(([key]) => required.includes(key));
    return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(member, schemas, key, kind)]));
  }
  if (shape.type === 'array') return shape.items ? [exampleOf(shape.items, schemas)] : [];
  if (isNullable) return null;
  if (shape.type === 'integer' || shape.type === 'number') return shape.minimum ?? 0;
  if (shape.type === 'boolean') return true;
  return shape.type === 'object' ? {} : '…';
}

/** Whether the member is an object here. Names such as `gems` mean a number in one place and an object in another. */
const isStruct = (name: string, shape: Schema): boolean =>
  name !== 'error' && name !== 'config' && Boolean(shape.properties);

/** Returns the value with absolute URLs. */
function placed(value: unknown, baseUrl: string): unknown {
  if (typeof value === 'string') return value.startsWith('/') ? baseUrl + value : value;
  if (Array.isArray(value)) return value.map(one => placed(one, baseUrl));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, placed(member, baseUrl)]));
}

/** Returns an example call of an operation, with a body where the operation takes one. */
export function exampleCall({ id, method, path, body }: OperationDoc, schemas: Schemas, baseUrl: string): Call {
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => String(MEMBERS[name] ?? MEMBERS.id));
  const url = baseUrl + withExampleModel(filled);
  if (!body) return { method, url };
  const sent = { ...(exampleOf(body, schemas) as object), ...BODIES[id] };
  return { method, url, body: JSON.parse(withExampleModel(JSON.stringify(placed(sent, baseUrl)))) };
}

/** Returns the path parameters with a value that suits every reader; ids of the reader's own objects are left out. */
export const commonValues = (path: string): Record<string, string> =>
  Object.fromEntries(
    ['architecture', 'recipe']
      .filter(name => path.includes(`{${name}}`))
      .map(name => [name, withExampleModel(String(MEMBERS[name]))]),
  );

/** Returns the successful answer to an example call; undefined for runs of one recipe, as `start_run` shows those. */
export function exampleAnswer({ id, answers }: OperationDoc, schemas: Schemas, baseUrl: string): unknown {
  const good = answers.find(({ status }) => status === '202') ?? answers.find(({ status }) => status.startsWith('2'));
  if (!good?.schema || id.startsWith('run_')) return undefined;
  return placed({ ...(exampleOf(good.schema, schemas) as object), ...ANSWERS[id] }, baseUrl);
}
