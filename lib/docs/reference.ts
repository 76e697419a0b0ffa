import { ERROR_WORDS } from '#lib/contract/error-words';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { ANYWHERE } from '#lib/contract/operation';
import { curl, type Call } from '#lib/docs/call-code';
import { exampleAnswer, exampleCall } from '#lib/docs/example';
import { exampleConfig, rulesOf as rulesOfModel } from '#lib/docs/model-facts';
import { readOpenapi, type MessageDoc, type OperationDoc, type Schema, type Schemas } from '#lib/docs/read-openapi';
import { ERROR_STATUS, toWireCode, type ErrorCode } from '#lib/errors';
import { openapiDocument } from '#lib/openapi';

/** `docs/reference.md`: every operation, object and error of the contract, as they are now. */
export function reference(): string {
  const { operations, messages, schemas } = readOpenapi(openapiDocument());
  const groups = Map.groupBy(operations.filter(isShared), ({ tag }) => tag);
  return sheet([
    '# Reference',
    'Every operation of `/v1`, what it takes and what it answers. The rules behind it are in [The API](contract.md).',
    'This page is written by `npm run docs:contract`; a deployment serves the same as `GET /v1/openapi.json`.',
    `Any operation can refuse with ${ANYWHERE.map(code => `${ERROR_STATUS[code]} ${quoted(code)}`).join(', ')}.`,
    ...[...groups].flatMap(([tag, members]) => [
      `## ${tag}`,
      ...members.flatMap(one => [`### ${titleOf(one)}`, `${one.summary}. ${callOf(one)}`, ...describe(one)]),
    ]),
    '## Messages to webhooks',
    ...messages.flatMap(message),
    '## Objects',
    ...Object.keys(schemas).flatMap(name => object(name, schemas)),
    '## Errors',
    ['| Status | Code | When | What to do |', '| --- | --- | --- | --- |', ...errorRows()].join('\n'),
  ]);
}

/** Those of one model or recipe are as its file has them. */
export const isShared = (operation: OperationDoc): boolean =>
  !/^(generate|get_recipe)_/.test(operation.id) && !isOfRecipe(operation);
export const isOfRecipe = ({ id }: OperationDoc): boolean => id.startsWith('run_');

/** The page of one operation, with the objects that it speaks of. */
export function operationMarkdown(operation: OperationDoc, schemas: Schemas, baseUrl: string): string {
  const answer = exampleAnswer(operation, schemas, baseUrl);
  const objects = namesIn([operation.body, ...operation.answers.map(({ schema }) => schema)], schemas);
  return sheet([
    `# ${operation.summary}`,
    `${quoted(titleOf(operation))}: ${callOf(operation)}`,
    ...describe(operation),
    '## Example',
    ...inShell(exampleCall(operation, schemas, baseUrl)),
    ...(answer === undefined ? [] : [fenced('json', JSON.stringify(answer, null, 2))]),
    ...(objects.length ? ['## Objects', ...objects.flatMap(name => object(name, schemas))] : []),
  ]);
}

/** All that one has to know to use a model, by itself: how it is called, its fields, its rules. */
export function modelMarkdown(entry: CatalogEntry, baseUrl: string): string {
  const { id, name, type, description, gems, input_schema, options_by_model, generate_url } = entry;
  const narrowed = Object.entries(options_by_model).flatMap(([model, fields]) =>
    Object.entries(fields).map(([field, tokens]) => `- ${quoted(model)}: ${quoted(field)} takes ${list(tokens)}.`),
  );
  const rules = [...narrowed, ...rulesOfModel(entry).map(rule => `- ${rule}`)];
  return sheet([
    `# ${name}`,
    `${description} Makes ${NOUNS[type]}; ${gems} gems with the defaults.`,
    '## Calling it',
    `Submit with an API key, and a new \`Idempotency-Key\` for each submit. The answer is a request with a \`status_url\`. \`GET\` it with \`?wait=60\` until its \`status\` is \`completed\`, \`failed\` or \`cancelled\`, then download \`result.url\`, which needs no key. What fails is refunded. \`POST ${baseUrl}/v1/${id}/estimate\` takes the same body, says the price and what would be refused, and charges nothing.`,
    ...inShell({ method: 'POST', url: generate_url, body: exampleConfig(entry) }),
    '## Fields',
    'What is left out keeps its default. Fields that take media take an https address, the `url` of an upload or a data URL.',
    members(input_schema),
    ...(rules.length ? ['## Rules', rules.join('\n')] : []),
  ]);
}

const NOUNS = { image: 'an image (PNG)', video: 'a video (MP4)', audio: 'audio (MP3)' };

/** Each error code under a heading of its own. */
export const errorSections = (): string =>
  errorCodes()
    .map(({ status, code, when, remedy }) => `### \`${code}\` ${status}\n\n${when} ${remedy}`)
    .join('\n\n');

/** Each message to webhooks under a heading of its own. */
export const messageSections = (): string =>
  readOpenapi(openapiDocument())
    .messages.map(({ event, summary, data }) => {
      const what = data.$ref ? '`data` is the request, as its status answers it.' : members(data);
      return `### \`${event}\`\n\n${summary}.\n\n${what}`;
    })
    .join('\n\n');

const errorRows = () =>
  errorCodes().map(({ status, code, when, remedy }) => `| ${status} | \`${code}\` | ${when} | ${remedy} |`);

function errorCodes() {
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).map(code => {
    const name = toWireCode(code);
    return { status: ERROR_STATUS[code], code: name, ...ERROR_WORDS[name] };
  });
}

const sheet = (parts: string[]): string => `${parts.join('\n\n')}\n`;
const quoted = (text: string): string => `\`${text}\``;
const list = (tokens: readonly unknown[]): string => tokens.map(token => quoted(String(token))).join(', ');
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const inShell = (call: Call): string[] => [fenced('sh', curl(call))];
/** What tools call it, and what a key must be allowed to do. */
const callOf = ({ id, scope }: OperationDoc): string =>
  [quoted(id), scope && `scope ${quoted(scope)}`].filter(Boolean).join(', ');
const titleOf = ({ method, path }: OperationDoc): string => `${method} ${path}`;

function describe({ parameters, body, answers }: OperationDoc): string[] {
  const refusals = answers.flatMap(({ status, description }) => {
    const codes = description.split(', ').filter(code => !ANYWHERE.some(one => one === code));
    return Number(status) >= 400 && codes.length ? [`${status} ${list(codes)}`] : [];
  });
  const good = answers.filter(({ status }) => Number(status) < 400);
  return [
    ...(parameters.length ? [table(parameters.map(({ name, in: where, schema }) => row(name, schema, where)))] : []),
    ...(body ? [`Body: ${typeOf(body)}.`] : []),
    `Answers ${good.map(({ status, schema = {} }) => `${status} ${typeOf(schema)}`.trim()).join(', ')}.`,
    ...(refusals.length ? [`Refuses with ${refusals.join('; ')}.`] : []),
  ];
}

const message = ({ event, summary, data }: MessageDoc): string[] => [
  `### ${event}`,
  `${summary}. ${data.$ref ? `\`data\`: ${typeOf(data)}.` : ''}`.trim(),
  ...(data.properties ? [members(data)] : []),
];

const object = (name: string, schemas: Schemas): string[] => [`### ${name}`, members(schemas[name] ?? {})];

/** The objects that these speak of, and those that these speak of in turn. */
function namesIn(shapes: unknown[], schemas: Schemas, known = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(shapes).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (known.has(name)) continue;
    known.add(name);
    namesIn([schemas[name]], schemas, known);
  }
  return [...known].filter(name => name !== 'Error');
}

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
  `| \`${name}\` | ${where} | ${typeOf(schema)} | ${wordsOf(schema)} |`;

const wordsOf = (schema: Schema): string =>
  [schema.description?.replace(/\.$/, ''), limitsOf(schema)].filter(Boolean).join('. ');

const table = (rows: string[]): string =>
  ['| Name | | Type | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items, enum: values, const: only, format: form, additionalProperties } = schema;
  const name = $ref?.split('/').at(-1);
  if (name) return `[${name}](#${name.toLowerCase()})`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (schema['x-media']) return `${items ? 'list of ' : ''}${schema['x-media']}`;
  if (values) return list(values);
  if (only !== undefined) return quoted(String(only));
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties) || 'any'}`;
  return form ?? [type ?? []].flat().join(' or ');
}

function limitsOf({ minimum, maximum, minLength, maxLength, default: preset, anyOf = [] }: Schema): string {
  const limits: string[] = [];
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  else if (minimum) limits.push(`at least ${minimum}`);
  if (maxLength !== undefined) limits.push(`${minLength ?? 0} to ${maxLength} characters`);
  if (preset !== undefined) limits.push(`default ${quoted(JSON.stringify(preset))}`);
  return [...limits, ...anyOf.map(limitsOf)].filter(Boolean).join('; ');
}
