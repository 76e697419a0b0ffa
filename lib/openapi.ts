import { z } from 'zod';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { operations, type Operation } from '#lib/contract/operations';
import { errorEnvelope } from '#lib/contract/schemas';
import { env } from '#lib/env';
import { AppError, ERROR_STATUS, type ErrorCode } from '#lib/errors';

type Json = Record<string, unknown>;

/** Refusals that any operation can give. */
const ANYWHERE: readonly ErrorCode[] = ['unauthorized', 'request_too_large', 'internal_error'];

/** OpenAPI 3.1 of `/v1`, from the contract table and the catalog: one path for each architecture too. */
export function openapiDocument(): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(id, operation, schemas);
  }
  Object.assign(paths, architecturePaths(schemas));
  return {
    openapi: '3.1.0',
    info: { title: 'Pomona', version: '1', description: 'Image, video and sound generations, paid in gems.' },
    servers: [{ url: env().BASE_URL }],
    security: [{ apiKey: [] }],
    paths,
    components: { schemas, securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  };
}

function architecturePaths(schemas: Json): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const architecture of catalog().list()) {
    const { id, name, description, input_schema, gems } = toCatalogEntry(architecture, env().BASE_URL);
    const { $schema: _, ...body } = input_schema;
    const operation = describe(`generate_${id}`, { ...operations.generate, params: z.object({}) }, schemas);
    paths[`/v1/${id}/generate`] = {
      post: {
        ...operation,
        summary: `Submit to ${name}: ${gems} gems by default`,
        description,
        requestBody: { required: true, content: jsonContent(body) },
      },
    };
  }
  return paths;
}

function describe(operationId: string, operation: Operation, schemas: Json): Json {
  const { summary, body } = operation;
  return {
    operationId,
    summary,
    parameters: [
      ...parameters('path', operation.params, schemas),
      ...parameters('query', operation.query, schemas),
      ...parameters('header', operation.headers, schemas),
    ],
    ...(body && { requestBody: { required: true, content: jsonContent(toSchema(body, 'input', schemas)) } }),
    responses: responses(operation, schemas),
  };
}

function parameters(where: 'path' | 'query' | 'header', shape: z.ZodObject, schemas: Json): Json[] {
  return Object.entries(shape.shape).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: toSchema(schema as z.ZodType, 'input', schemas),
  }));
}

function responses(operation: Operation, schemas: Json): Json {
  const answers: Json = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    const description = status.startsWith('2') ? operation.summary : 'Not modified';
    answers[status] = { description, ...(schema && { content: jsonContent(toSchema(schema, 'output', schemas)) }) };
  }
  const codes = [...operation.errors, ...ANYWHERE];
  for (const status of new Set(codes.map(code => ERROR_STATUS[code]))) {
    const named = codes
      .filter(code => ERROR_STATUS[code] === status)
      .map(code => new AppError(code, '').wireCode)
      .join(', ');
    answers[status] = { description: named, content: jsonContent(toSchema(errorEnvelope, 'output', schemas)) };
  }
  return answers;
}

const jsonContent = (schema: unknown): Json => ({ 'application/json': { schema } });

/** A zod schema as JSON Schema; what has an id of its own goes to `schemas` and is referred to. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: forReaders });
  const moved = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', '#/components/schemas/'));
  for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] = moved(definition);
  if (typeof own.id !== 'string') return moved(own);
  schemas[own.id] = moved(own);
  return { $ref: `#/components/schemas/${own.id}` };
}

/** Answers may gain members within v1; and whole numbers travel as text in queries and headers, but are numbers to a reader. */
function forReaders({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
}
