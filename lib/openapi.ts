import { z } from 'zod';
import { byRevision } from '#lib/catalog/by-revision';
import { catalog } from '#lib/catalog/catalog';
import { commonFields } from '#lib/catalog/fold-fields';
import { recipesResponse } from '#lib/catalog/recipes-response';
import { toCatalogEntry, toInputSchema } from '#lib/catalog/to-entry';
import { answerHeaders, ANSWER_HEADERS } from '#lib/contract/answer-headers';
import { operations } from '#lib/contract/operations';
import { mayLeaveOut, refusalsOf, TAGS, takenHeaders, type Operation } from '#lib/contract/operation';
import { errorEnvelope } from '#lib/contract/schemas';
import { message } from '#lib/contract/webhook-schemas';
import { headerName } from '#lib/contract/words';
import { env } from '#lib/env';
import { ERROR_STATUS, toWireCode } from '#lib/errors';
import { EVENT_WORDS, MESSAGES, TEST_EVENT, type Message } from '#lib/events';

type Json = Record<string, unknown>;

const MODEL_TAGS = { image: 'Image models', video: 'Video models', audio: 'Audio models' } as const;

/** The OpenAPI 3.1 document of `/v1`, from the contract and the catalog. Each architecture and recipe has a path. */
export const openapiDocument = byRevision('openapi', (): Json => {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(toSnakeCase(id), operation, operation.tag, schemas);
  }
  Object.assign(paths, architecturePaths(schemas), recipePaths(schemas));
  schemas.GenerateRequest = withoutDialect(toInputSchema('Fields that architectures share', commonFields()));
  return {
    openapi: '3.1.0',
    info: { title: 'Pomona', version: '1', description: 'Image, video and audio generation, paid for in gems.' },
    servers: [{ url: env().BASE_URL }],
    security: [{ apiKey: [] }],
    tags: [...TAGS, ...Object.values(MODEL_TAGS)].map(name => ({ name })),
    paths,
    webhooks: Object.fromEntries(MESSAGES.map(type => [type, describeMessage(type, schemas)])),
    components: { schemas, headers: headers(), securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  };
});

/** Returns an operation id in snake case, like all of them; a double underscore keeps `a-b` distinct from `a_b`. */
const operationId = (verb: string, id: string): string => `${verb}_${id.replaceAll('-', '__')}`;

function architecturePaths(schemas: Json): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const architecture of catalog().list()) {
    const { id, name, type, description, input_schema, gems } = toCatalogEntry(architecture, env().BASE_URL);
    const generate = { ...operations.generate, params: z.object({}) };
    paths[`/v1/${id}/generate`] = {
      post: {
        ...describe(operationId('generate', id), generate, MODEL_TAGS[type], schemas),
        summary: `Submit to ${name}: ${gems} gems by default`,
        description,
        requestBody: { required: true, content: jsonContent(withoutDialect(input_schema)) },
      },
    };
  }
  return paths;
}

/** Describes every method at the path of a recipe: a concrete path takes precedence over the parameterised one. */
function recipePaths(schemas: Json): Record<string, Json> {
  const read = { ...operations.getRecipe, params: z.object({}) };
  const start = { ...operations.startRun, params: z.object({}) };
  const paths = recipesResponse().recipes.map(({ id, name, description, input_schema }) => {
    const get = describe(operationId('get_recipe', id), read, read.tag, schemas);
    const post = {
      ...describe(operationId('run', id), start, start.tag, schemas),
      summary: `Run ${name}`,
      description,
      requestBody: { required: true, content: jsonContent(withoutDialect(input_schema)) },
    };
    return [`/v1/recipes/${id}`, { get, post }] as const;
  });
  return Object.fromEntries(paths);
}

function describe(operationId: string, operation: Operation, tag: string, schemas: Json): Json {
  return {
    operationId,
    tags: [tag],
    summary: operation.summary,
    ...(operation.scope && { security: [{ apiKey: [operation.scope] }] }),
    parameters: [
      ...parameters('path', operation.params, schemas),
      ...parameters('query', operation.query, schemas),
      ...parameters('header', takenHeaders(operation), schemas),
    ],
    ...(operation.body && {
      requestBody: {
        required: !mayLeaveOut(operation.body),
        content: jsonContent(toSchema(operation.body, 'input', schemas)),
      },
    }),
    responses: responses(operation, schemas),
  };
}

const MESSAGE_WORDS = {
  ...EVENT_WORDS,
  [TEST_EVENT]: 'Sent when the account asks for a test; no webhook subscribes to it',
};

/** Describes the message that is posted to webhooks. */
const describeMessage = (type: Message, schemas: Json): Json => ({
  post: {
    operationId: type.replace('.', '_'),
    tags: ['Webhooks'],
    summary: MESSAGE_WORDS[type],
    requestBody: { required: true, content: jsonContent(toSchema(message(type), 'output', schemas)) },
    responses: { '2XX': { description: 'Delivered; after any other answer the message is sent again' } },
  },
});

const toSnakeCase = (id: string) => id.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

function parameters(where: 'path' | 'query' | 'header', shape: z.ZodObject, schemas: Json): Json[] {
  return Object.entries(shape.shape).map(([name, schema]) => ({
    name: where === 'header' ? headerName(name) : name,
    in: where,
    required: where === 'path',
    schema: toSchema(schema as z.ZodType, 'input', schemas),
  }));
}

function responses(operation: Operation, schemas: Json): Json {
  const answers: Json = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    const description = status.startsWith('2') ? operation.summary : 'Not modified';
    answers[status] = {
      description,
      headers: headersOf(operation, Number(status)),
      ...(schema && { content: jsonContent(toSchema(schema, 'output', schemas)) }),
    };
  }
  const codes = refusalsOf(operation);
  for (const status of new Set(codes.map(code => ERROR_STATUS[code]))) {
    const named = codes.filter(code => ERROR_STATUS[code] === status).map(toWireCode);
    answers[status] = {
      description: named.join(', '),
      headers: headersOf(operation, status),
      content: jsonContent(toSchema(errorEnvelope, 'output', schemas)),
    };
  }
  return answers;
}

const headersOf = (operation: Operation, status: number): Json =>
  Object.fromEntries(answerHeaders(operation, status).map(name => [name, { $ref: `#/components/headers/${name}` }]));

const headers = (): Json =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, schema]) => [name, { schema: toSchema(schema, 'output', {}) }]),
  );

const jsonContent = (schema: unknown): Json => ({ 'application/json': { schema } });

/** Converts a zod schema to JSON Schema. A schema with an id is put into `schemas` and referenced. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const { $defs, ...own } = withoutDialect(
    z.toJSONSchema(schema, { io, unrepresentable: 'any', override: forReaders }),
  );
  const moved = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', '#/components/schemas/'));
  for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] = moved(definition);
  if (typeof own.id !== 'string') return moved(own);
  const { id, ...component } = own;
  schemas[id] = moved(component);
  return { $ref: `#/components/schemas/${id}` };
}

/** Removes `$schema`: an OpenAPI document declares its JSON Schema dialect once for all schemas. */
function withoutDialect<T extends { $schema?: unknown }>(schema: T): Omit<T, '$schema'> {
  const { $schema: _, ...own } = schema;
  return own;
}

/** Removes what zod adds to a schema and a reader of the document does not need. */
function forReaders({
  zodSchema,
  jsonSchema: schema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  delete schema.added;
  delete schema.propertyNames;
  // generators of Python clients refuse a document with `items: false`, which ends a tuple
  if (schema.items === false) schema.items = schema.prefixItems?.[0];
  // responses may gain members within v1
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // a format already implies its pattern; integers in a query or header arrive as text, which zod checks with a pattern
  if (schema.format !== undefined || schema.type === 'integer') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (!(zodSchema instanceof z.ZodObject) || !schema.required) return;
  const { shape } = zodSchema;
  schema.required = schema.required.filter(name => !z.globalRegistry.get(shape[name])?.added);
  if (!schema.required.length) delete schema.required;
}
