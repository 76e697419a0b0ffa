import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { catalogMembers } from '#client/catalog-types';
import { comment, schemaType, type Schema } from '#client/schema-type';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { operations } from '#lib/contract/operations';
import { openapiDocument } from '#lib/openapi';

// Builds packages/client/dist. The types from the contract and the catalog are written out first, so that the package
// compiles on its own, as its users have it.

const ROOT = resolve(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'packages/client');
const SOURCES = join(CLIENT, 'dist/sources');

interface Described {
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Content {
  content?: { 'application/json': { schema: Schema } };
}
interface Document {
  webhooks: Record<string, { post: Described }>;
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

/** New names for schemas whose names mean something else in TypeScript. */
const NAMES: Record<string, string> = {
  Request: 'Generation',
  RequestDetail: 'GenerationDetail',
  RequestList: 'GenerationList',
  Error: 'ErrorEnvelope',
};

const nameOf = (component: string) => NAMES[component] ?? component;
const typeOf = (schema: Schema) => schemaType(schema, $ref => nameOf($ref.split('/').at(-1)!));

function wireSource(): string {
  const { paths, webhooks, components } = openapiDocument() as unknown as Document;
  // the catalog types describe the bodies of generate
  const { GenerateRequest: _, ...schemas } = components.schemas;
  const shapes = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema.description ?? '')}export type ${nameOf(name)} = ${typeOf(schema)};\n`,
  );
  const messages = Object.values(webhooks).map(({ post }) => `\n  | ${typeOf(schemaOf(post.requestBody)!)}`);
  const calls = Object.entries(operations).map(([id, { method, path, summary }]) => {
    const described = paths[path]![method.toLowerCase()]!;
    const members = {
      route: `'${method} ${path}'`,
      ...partsOf(described),
      body: bodyOf(described),
      answer: answerOf(described),
    };
    const lines = Object.entries(members).map(([name, type]) => `    ${name}: ${type};`);
    return `  ${comment(`${summary}.`)}  ${id}: {\n${lines.join('\n')}\n  };`;
  });
  return `${shapes.join('\n')}
/** What a webhook is sent. */
export type WebhookEvent =${messages.join('')};

export type ErrorCode = ErrorEnvelope['error']['code'];

/** Every operation of \`/v1\`: where it is, what it takes, what it answers (\`never\` is nothing). */
export interface Operations {
${calls.join('\n')}
}
`;
}

function partsOf({ parameters }: Described): Record<'params' | 'query' | 'headers', string> {
  const part = (where: string, lower = false) => {
    const own = parameters.filter(one => one.in === where);
    const properties = own.map(({ name, schema }) => [lower ? name.toLowerCase() : name, schema] as const);
    return typeOf({
      type: 'object',
      properties: Object.fromEntries(properties),
      required: own.filter(({ required }) => required).map(({ name }) => name),
    });
  };
  return { params: part('path'), query: part('query'), headers: part('header', true) };
}

const schemaOf = (content?: Content) => content?.content?.['application/json'].schema;

const bodyOf = ({ requestBody }: Described) => {
  const schema = schemaOf(requestBody);
  if (schema?.$ref?.endsWith('/GenerateRequest')) return 'Record<string, unknown>';
  return schema ? typeOf(schema) : 'never';
};

const answerOf = ({ responses }: Described) => {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const types = new Set(good.flatMap(([, content]) => schemaOf(content) ?? []).map(typeOf));
  return [...types].join(' | ') || 'never';
};

function catalogSource(): string {
  const source = readFileSync(join(CLIENT, 'catalog.ts'), 'utf8');
  return source.replace('Catalog {}', `Catalog {\n${catalogMembers(catalogResponse().body.architectures)}\n}`);
}

rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
mkdirSync(SOURCES, { recursive: true });
for (const name of readdirSync(CLIENT)) {
  if (/(?<!\.test)\.ts$/.test(name)) cpSync(join(CLIENT, name), join(SOURCES, name));
}
writeFileSync(join(SOURCES, 'wire.ts'), wireSource());
writeFileSync(join(SOURCES, 'catalog.ts'), catalogSource());
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(CLIENT, 'tsconfig.json')], {
  stdio: 'inherit',
});
rmSync(SOURCES, { recursive: true });
