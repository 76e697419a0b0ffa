import { EVENTS, TEST_EVENT } from '#lib/events';

// All examples tell one story: a lighthouse at dusk, its keeper Ana, and the recipients of the result. Values that
// begin with a slash are URLs of the deployment.

const ID = '01a1f5e0-6a4c-7c5b-9b7e-2f4d8c1a7e90';
const CREATED = '2026-11-20T18:30:00.000Z';
const DONE = '2026-11-20T18:30:09.000Z';
const A_DAY_LATER = '2026-11-21T18:30:00.000Z';
const THIRTY_DAYS_LATER = '2026-12-20T18:30:00.000Z';
const PROMPT = 'a lighthouse at dusk';

const GENERATION = { prompt: PROMPT, aspect_ratio: '16:9' };
const CONFIG = { prompt: PROMPT, model_id: 'mango-v3', aspect_ratio: '16:9', resolution: '2K' };
const RUN = { topic: PROMPT, title: 'Keep the light', covers: 2 };
const RUN_ADDRESS = `/v1/recipes/runs/${ID}`;

/** Example values of members, by name. */
export const MEMBERS: Record<string, unknown> = {
  prompt: PROMPT,
  request_id: ID,
  id: ID,
  status: 'completed',
  architecture: 'mango',
  recipe: 'thumbnail',
  run_id: ID,
  model_id: 'mango-v3',
  name: 'Ana',
  handle: 'ana',
  width: 2816,
  height: 1584,
  bytes: 6_482_310,
  seed: 4217,
  gems_charged: 135,
  gems: 135,
  balance: 865,
  error: null,
  next_cursor: null,
  description: null,
  config: { ...CONFIG, seed: 4217 },
  mentions: [],
  inputs: [],
  issues: [],
  enough: true,
  content_type: 'image/png',
  max_bytes: 104_857_600,
  nsfw: false,
  tag: 'harbour',
  created_at: CREATED,
  updated_at: DONE,
  expires_at: THIRTY_DAYS_LATER,
  url_expires_at: THIRTY_DAYS_LATER,
  url: '/media/result/7f3c.png',
  image_url: '/media/entity/7f3c.jpg',
  image: '/media/upload/7f3c.png',
  status_url: `/v1/requests/${ID}/status`,
  cancel_url: `/v1/requests/${ID}/cancel`,
};

const STEP = { id: 'pictures', name: 'Covers', architecture: 'mango', type: 'image' };

const schemaOf = (title: string, properties: object, required: string[]) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  type: 'object',
  properties,
  required,
  additionalProperties: true,
});

const WEBHOOK = {
  url: 'https://example.com/pomona',
  events: EVENTS,
  enabled: true,
  disabled_because: null,
  failing_since: null,
  previous_secret_until: null,
  secret: 'whsec_…',
};

const DELIVERY = {
  event: 'request.completed',
  url: WEBHOOK.url,
  status: 'delivered',
  source_id: ID,
  next_try_at: null,
  created_at: DONE,
  finished_at: DONE,
  tries: [{ at: DONE, ms: 84, status: 204, answer: '', error: null }],
  headers: {
    'content-type': 'application/json',
    'webhook-id': ID,
    'webhook-timestamp': '1795545009',
    'webhook-signature': 'v1,…',
  },
  body: '{"type":"request.completed",…}',
};

/** Values of members in objects of these names, where they differ from MEMBERS. */
export const OBJECTS: Record<string, Record<string, unknown>> = {
  Architecture: {
    id: 'mango',
    name: 'Mango',
    description: 'Text to image, and editing with several references.',
    image_inputs: {
      first_frame: null,
      last_frame: null,
      references: { field: 'image', additional_field: 'additional_images' },
    },
    video_inputs: null,
    base_config: { model_id: 'mango-v3', aspect_ratio: '4:5', resolution: '2K' },
    options: { model_id: ['mango-v2', 'mango-v3'], aspect_ratio: ['16:9', '4:5'], resolution: ['1K', '2K', '4K'] },
    options_by_model: { 'mango-v3': { resolution: ['1K', '2K'] } },
    mentions: {
      characters: ['mango-v2', 'mango-v3'],
      references: ['mango-v2', 'mango-v3'],
      audio_references: [],
      max_audio_references: 0,
      character_voices: false,
    },
    max_images: 10,
    input_schema: schemaOf(
      'Mango',
      { prompt: { type: 'string' }, aspect_ratio: { type: 'string', enum: ['16:9', '4:5'], default: '4:5' } },
      ['prompt'],
    ),
    generate_url: '/v1/mango/generate',
  },
  Estimate: { config: { ...CONFIG, seed: null } },
  Recipe: {
    id: 'thumbnail',
    name: 'Thumbnail',
    description: 'Several cover images for a video, to choose from.',
    input_schema: schemaOf(
      'Thumbnail',
      { topic: { type: 'string' }, title: { type: 'string' }, covers: { type: 'integer', default: 3 } },
      ['topic'],
    ),
    base_config: { covers: 3 },
    steps: [{ ...STEP, count: 3, gems: 171 }],
    results: [STEP.id],
    gems: 171,
    run_url: '/v1/recipes/thumbnail',
    estimate_url: '/v1/recipes/thumbnail/estimate',
  },
  RecipeEstimate: { gems: 114, steps: [{ ...STEP, count: 2, gems: 114 }] },
  Run: {
    name: 'Thumbnail',
    inputs: RUN,
    billing: { mode: 'gems', gems_estimated: 114, gems_charged: 114, gems_refunded: 0, gems_missing: 0 },
    steps: [{ ...STEP, status: 'completed', count: 2, completed: 2, progress: 1, gems: 114, requests: [] }],
    status_url: RUN_ADDRESS,
    cancel_url: `${RUN_ADDRESS}/cancel`,
    retry_url: `${RUN_ADDRESS}/retry`,
  },
  LedgerEntry: { id: 12, kind: 'charge', gems: -135, balance_after: 865, reason: null },
  Upload: { status: 'ready', url: '/media/upload/7f3c.png', file_name: 'lighthouse.png' },
  UploadTicket: {
    upload_url: '/media/upload/7f3c.png?expires=…&signature=…',
    headers: { 'Content-Type': 'image/png', 'x-pomona-content-length-range': '0,104857600' },
    url: '/media/upload/7f3c.png',
    upload_url_expires_at: '2026-11-20T18:45:00.000Z',
  },
  Character: { voice_url: null },
  Reference: { name: 'Old pier', handle: 'pier', kind: 'location', audio_url: null },
  Webhook: WEBHOOK,
  CreatedWebhook: WEBHOOK,
  Delivery: DELIVERY,
  DeliveryDetail: DELIVERY,
};

const UNSENT = { status: 'pending', next_try_at: DONE, finished_at: null, tries: [] };
const STARTED = {
  status: 'running',
  billing: { mode: 'gems', gems_estimated: 114, gems_charged: 0, gems_refunded: 0, gems_missing: 114 },
  steps: [{ ...STEP, status: 'running', count: 2, completed: 0, progress: 0, gems: 114, requests: [] }],
  results: [],
  updated_at: CREATED,
};

/** Values of members in the answers to these operations, where they differ. */
export const ANSWERS: Record<string, object> = {
  generate: { status: 'in_progress', result: null, updated_at: CREATED },
  cancel_request: { status: 'cancelled', result: null },
  set_favourite: { favourite: true },
  unset_favourite: { favourite: false },
  add_tag: { tags: ['harbour'] },
  remove_tag: { tags: [] },
  start_run: STARTED,
  retry_run: STARTED,
  cancel_run: { ...STARTED, status: 'cancelled', steps: [{ ...STARTED.steps[0], status: 'cancelled' }] },
  rotate_webhook_secret: { previous_secret_until: A_DAY_LATER },
  test_webhook: { ...UNSENT, event: TEST_EVENT, source_id: null },
  resend_delivery: UNSENT,
};

/** Members of request bodies that are not required by the schema, or whose value does not follow from their name. */
export const BODIES: Record<string, object> = {
  generate: GENERATION,
  estimate: GENERATION,
  start_run: RUN,
  estimate_run: RUN,
  create_character: { handle: 'ana' },
  create_reference: { name: 'Old pier', handle: 'pier', kind: 'location', image: MEMBERS.image },
  create_webhook: { url: WEBHOOK.url },
  change_character: { name: 'Ana' },
  change_reference: { name: 'Old pier' },
  change_webhook: { enabled: true },
};
