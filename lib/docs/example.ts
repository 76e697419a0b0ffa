import type { Call } from '#lib/docs/call-code';
import { resolve, withoutNull, type OperationDoc, type Schema, type Schemas } from '#lib/docs/read-openapi';

/** What fields of these names are like. */
const KNOWN: Record<string, unknown> = {
  prompt: 'a lighthouse at dusk',
  request_id: '01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90',
  id: '01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90',
  status: 'completed',
  architecture: 'mango',
  recipe: 'thumbnail',
  run_id: '01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90',
  model_id: 'mango-v3',
  name: 'Ana',
  handle: 'ana',
  width: 1024,
  height: 1280,
  bytes: 1_482_310,
  seed: 4217,
  gems_charged: 135,
  gems: 135,
  balance: 865,
  balance_after: 865,
  error: null,
  reason: null,
  next_cursor: null,
  description: null,
  config: { prompt: 'a lighthouse at dusk', aspect_ratio: '4:5', resolution: '2K' },
  mentions: [],
  inputs: [],
  issues: [],
  enough: true,
  content_type: 'image/png',
  max_bytes: 104_857_600,
  headers: { 'Content-Type': 'image/png', 'x-pomona-content-length-range': '0,104857600' },
  method: 'PUT',
  kind: 'location',
  nsfw: false,
  tag: 'harbour',
};

/** Addresses by the field that has them, below the origin. */
const ADDRESSES: Record<string, string> = {
  url: '/media/result/7f3c.png',
  upload_url: '/media/upload/7f3c.png?expires=…&signature=…',
  image_url: '/media/entity/7f3c.jpg',
  image: '/media/upload/7f3c.png',
  voice_url: '/media/entity/9a1b.mp3',
  audio_url: '/media/entity/9a1b.mp3',
  status_url: '/v1/requests/01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90/status',
  cancel_url: '/v1/requests/01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90/cancel',
  generate_url: '/v1/mango/generate',
  run_url: '/v1/recipes/thumbnail',
  retry_url: '/v1/recipes/runs/01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90/retry',
};

const GENERATION = { prompt: KNOWN.prompt, aspect_ratio: '16:9' };
const RUN = { topic: KNOWN.prompt, title: 'Keep the light', covers: 2 };

/** What calls send that no schema requires, or that its name does not tell. */
const membersOf = (id: string, baseUrl: string): object | undefined =>
  ({
    generate: GENERATION,
    estimate: GENERATION,
    start_run: RUN,
    estimate_run: RUN,
    create_reference: { image: baseUrl + ADDRESSES.image },
    create_webhook: { url: 'https://example.com/pomona' },
    change_character: { name: KNOWN.name },
    change_reference: { name: KNOWN.name },
    change_webhook: { enabled: true },
  })[id];

/** A value that fits the schema, with the required members only. */
function exampleOf(schema: Schema, schemas: Schemas, baseUrl: string, name = ''): unknown {
  const { schema: given, isNullable } = withoutNull(schema);
  const shape = withoutNull(resolve(given, schemas)).schema;
  if (name in ADDRESSES) return baseUrl + ADDRESSES[name];
  if (name in KNOWN && !(shape.enum && !shape.enum.includes(KNOWN[name])) && !isStruct(name, shape)) return KNOWN[name];
  if (shape.const !== undefined) return shape.const;
  if (shape.default !== undefined) return shape.default;
  if (shape.enum) return shape.enum[0];
  if (shape['x-media'] && !shape.items) return baseUrl + ADDRESSES.image;
  if (shape.properties) {
    const required = shape.required ?? [];
    const members = Object.entries(shape.properties).filter(([key]) => required.includes(key));
    return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(member, schemas, baseUrl, key)]));
  }
  if (shape.type === 'array') return shape.items ? [exampleOf(shape.items, schemas, baseUrl)] : [];
  if (shape.format === 'date-time') return '2026-11-20T18:30:00.000Z';
  if (isNullable) return null;
  if (shape.type === 'integer' || shape.type === 'number') return shape.minimum ?? 0;
  if (shape.type === 'boolean') return true;
  return shape.type === 'object' ? {} : '…';
}

/** Some names are of a figure in one place and of an object in another: `gems`, `error`. */
const isStruct = (name: string, shape: Schema): boolean =>
  name !== 'error' && name !== 'config' && Boolean(shape.properties);

/** An example call of an operation; without a body where none is sent. */
export function exampleCall({ id, method, path, body }: OperationDoc, schemas: Schemas, baseUrl: string): Call {
  const url = baseUrl + path.replace(/{(\w+)}/g, (_, name: string) => String(KNOWN[name] ?? KNOWN.id));
  if (!body) return { method, url };
  return { method, url, body: { ...(exampleOf(body, schemas, baseUrl) as object), ...membersOf(id, baseUrl) } };
}

/** The answer to a call that goes well. */
export function exampleAnswer({ answers }: OperationDoc, schemas: Schemas, baseUrl: string): unknown {
  const good = answers.find(({ status }) => status === '202') ?? answers.find(({ status }) => status.startsWith('2'));
  if (!good?.schema) return undefined;
  const example = exampleOf(good.schema, schemas, baseUrl);
  const isAccepted = good.status === '202';
  return isAccepted ? { ...(example as object), status: 'in_progress', result: null } : example;
}
