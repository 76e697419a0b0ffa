import type { MediaKind } from '#lib/media-kind';
/** The subset of JSON Schema that the reference uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  'x-media'?: MediaKind;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface OperationDoc {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  /** Scope that an API key needs. */
  scope?: string;
  parameters: Parameter[];
  body?: Schema;
  answers: { status: string; description: string; schema?: Schema }[];
}

/** A message to webhooks. */
export interface MessageDoc {
  event: string;
  summary: string;
  data: Schema;
}

export type Schemas = Record<string, Schema>;

interface Content {
  content?: { 'application/json': { schema: Schema } };
}
interface Described {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security?: { apiKey: string[] }[];
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}

interface Reading {
  operations: OperationDoc[];
  messages: MessageDoc[];
  schemas: Schemas;
}

/** Returns the operations and messages of an OpenAPI document, in its order, and its schemas. */
export function readOpenapi(document: Record<string, unknown>): Reading {
  const paths = document.paths as Record<string, Record<string, Described>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): OperationDoc => {
      const { operationId: id, tags, summary, description, security, parameters, requestBody, responses } = described;
      const scope = security?.[0]?.apiKey[0];
      const body = requestBody?.content?.['application/json'].schema;
      const answers = Object.entries(responses).map(([status, { description: words, content }]) => {
        const schema = content?.['application/json'].schema;
        return { status, description: words, ...(schema && { schema }) };
      });
      return {
        id,
        tag: tags[0],
        method: method.toUpperCase(),
        path,
        summary,
        ...(description && { description }),
        ...(scope && { scope }),
        parameters,
        ...(body && { body }),
        answers,
      };
    }),
  );
  const webhooks = document.webhooks as Record<string, Record<'post', Pick<Described, 'summary' | 'requestBody'>>>;
  const messages = Object.entries(webhooks).map(([event, { post }]): MessageDoc => {
    const { data = {} } = post.requestBody?.content?.['application/json'].schema.properties ?? {};
    return { event, summary: post.summary, data };
  });
  return { operations, messages, schemas: (document.components as { schemas: Schemas }).schemas };
}

/** Resolves a reference to a schema. */
export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** Splits "X or null" into X and whether null is accepted. */
export function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  if (schema.anyOf) {
    const kept = schema.anyOf.filter(({ type }) => type !== 'null');
    const { anyOf: _, ...words } = schema;
    if (kept.length === 1) return { schema: { ...kept[0], ...words }, isNullable: kept.length < schema.anyOf.length };
  }
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const kept = schema.type.filter(type => type !== 'null');
    return { schema: { ...schema, type: kept.length === 1 ? kept[0]! : kept }, isNullable: true };
  }
  return { schema, isNullable: false };
}
