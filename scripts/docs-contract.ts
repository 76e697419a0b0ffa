import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ERROR_WORDS } from '#lib/contract/error-words';
import { ANYWHERE } from '#lib/contract/operations';
import { ERROR_STATUS, toWireCode, type ErrorCode } from '#lib/errors';
import { openapiDocument } from '#lib/openapi';

/** JSON Schema, as far as the contract uses it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
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
  minLength?: number;
  maxLength?: number;
}
interface Content {
  content?: { 'application/json': { schema: Schema } };
}
interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  security: [{ apiKey: [string] }];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}
interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const REFERENCE = resolve(import.meta.dirname, '../docs/reference.md');
const CONTRACT = resolve(import.meta.dirname, '../docs/contract.md');

export const readDocs = async () => ({
  reference: await readFile(REFERENCE, 'utf8'),
  contract: await readFile(CONTRACT, 'utf8'),
});

/** `docs/reference.md`: every operation, object and error of the contract, as they are now. */
export function reference(): string {
  const document = openapiDocument() as unknown as Document;
  const parts = [
    '# Reference',
    'Every operation of `/v1`, what it takes and what it answers. The rules behind it are in [The API](contract.md).',
    'This page is written by `npm run docs:contract`; a deployment serves the same as `GET /v1/openapi.json`.',
    `Any operation can refuse with ${ANYWHERE.map(code => `${ERROR_STATUS[code]} ${quoted(code)}`).join(', ')}.`,
    ...operations(document),
    '## Objects',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [`### ${name}`, members(schema)]),
    '## Errors',
    errors(),
  ];
  return `${parts.join('\n\n')}\n`;
}

function operations({ tags, paths }: Document): string[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, ...operation })),
  );
  const shared = all.filter(({ operationId }) => !operationId.startsWith('generate_'));
  return tags.flatMap(({ name }) => {
    const own = shared.filter(operation => operation.tags[0] === name);
    return own.length ? [`## ${name}`, ...own.flatMap(describe)] : [];
  });
}

function describe({ title, operationId, summary, security, parameters, ...body }: Operation & { title: string }) {
  const { requestBody, responses } = body;
  const statuses = Object.entries(responses);
  const answers = statuses.filter(([status]) => Number(status) < 400);
  const refusals = statuses.flatMap(([status, { description }]) => {
    const codes = description.split(', ').filter(code => !ANYWHERE.some(one => one === code));
    return Number(status) >= 400 && codes.length ? [`${status} ${codes.map(quoted).join(', ')}`] : [];
  });
  return [
    `### ${title}`,
    `${summary}. \`${operationId}\`, scope ${quoted(security[0].apiKey[0])}`,
    ...(parameters.length ? [table(parameters.map(({ name, in: where, schema }) => row(name, schema, where)))] : []),
    ...(requestBody ? [`Body: ${typeOf(schemaOf(requestBody))}.`] : []),
    `Answers ${answers.map(([status, answer]) => `${status} ${typeOf(schemaOf(answer))}`.trim()).join(', ')}.`,
    ...(refusals.length ? [`Refuses with ${refusals.join('; ')}.`] : []),
  ];
}

const schemaOf = ({ content }: Content): Schema => content?.['application/json'].schema ?? {};
const quoted = (text: string) => `\`${text}\``;

const members = ({ properties = {}, required = [] }: Schema, prefix = ''): string =>
  table(rowsOf(properties, required, prefix));

/** The members of an object, and those of objects in it. */
const rowsOf = (properties: Record<string, Schema>, required: string[], prefix: string): string[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const inner = [schema, ...(schema.anyOf ?? [])].map(one => one.items ?? one).find(one => one.properties);
    const below = inner ? rowsOf(inner.properties ?? {}, inner.required ?? [], `${prefix}${name}.`) : [];
    return [row(prefix + name, schema, required.includes(name) ? 'always' : ''), ...below];
  });

const row = (name: string, schema: Schema, where: string): string =>
  `| \`${name}\` | ${where} | ${typeOf(schema)} | ${[schema.description, rulesOf(schema)].filter(Boolean).join('. ')} |`;

const table = (rows: string[]): string =>
  ['| Name | | Type | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items, enum: values, const: only, format: form, additionalProperties } = schema;
  const name = $ref?.split('/').at(-1);
  if (name) return `[${name}](#${name.toLowerCase()})`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map(value => quoted(String(value))).join(', ');
  if (only !== undefined) return quoted(String(only));
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties) || 'any'}`;
  return form ?? [type ?? []].flat().join(' or ');
}

function rulesOf({ minimum, maximum, minLength, maxLength, default: preset, anyOf = [] }: Schema): string {
  const rules: string[] = [];
  if (minimum !== undefined && maximum !== undefined) rules.push(`${minimum} to ${maximum}`);
  else if (minimum) rules.push(`at least ${minimum}`);
  if (maxLength !== undefined) rules.push(`${minLength ?? 0} to ${maxLength} characters`);
  if (preset !== undefined) rules.push(`default ${quoted(JSON.stringify(preset))}`);
  return [...rules, ...anyOf.map(rulesOf)].filter(Boolean).join('; ');
}

function errors(): string {
  const rows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(code => {
    const name = toWireCode(code);
    return `| ${ERROR_STATUS[code]} | \`${name}\` | ${ERROR_WORDS[name].when} | ${ERROR_WORDS[name].remedy} |`;
  });
  return ['| Status | Code | When | What to do |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

if (import.meta.main) await writeFile(REFERENCE, reference());
