import { z } from 'zod';
import { CONNECTORS, type EngineType } from '#lib/engines/connectors';
import { EngineError, type EngineServer, type ProbeResult } from '#lib/engines/engine';
import { createEngineHttp, type EngineHttp } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { hostedAt } from '#lib/engines/hosted';
import { DIALECTS, type Suggestion } from '#lib/engines/openai/dialects';
import { AppError } from '#lib/errors';
import type { MediaKind } from '#lib/media-kind';

/** What was found at an address. */
export interface Detected extends ProbeResult {
  /** Null when no known type of server answered; `detail` says why. */
  type: EngineType | null;
  /** The address in the form for an entry of engines.json. */
  url: string;
  /** Whether the server requires a secret, or a different one. */
  wantsSecret?: boolean;
  /** Name of the server program, where several programs share the API. */
  dialect?: string;
  /** Suggested options for an entry of `serves`, by kind of output. */
  suggestions?: Partial<Record<MediaKind, Suggestion>>;
}

const Models = z.object({ data: z.array(z.object({ id: z.string(), owned_by: z.string().optional() })) });

/** Requests whose answer has this shape on one type of server only. The first match decides. */
const QUESTIONS: { type: 'comfyui' | 'cog' | 'openai'; path: string; answer: z.ZodType }[] = [
  {
    type: 'comfyui',
    path: '/system_stats',
    answer: z.object({ system: z.looseObject({}), devices: z.array(z.unknown()) }),
  },
  {
    type: 'cog',
    path: '/health-check',
    answer: z.object({
      status: z.enum(['UNKNOWN', 'STARTING', 'READY', 'BUSY', 'SETUP_FAILED', 'DEFUNCT', 'UNHEALTHY']),
    }),
  },
  { type: 'openai', path: '/v1/models', answer: Models },
];

const ANSWER_MS = 5_000;

/** Detects the type of a server and its models. Throws `invalid_request` for a malformed address only. */
export async function detectEngine(address: string, secret?: string): Promise<Detected> {
  const given = normalise(address);
  const { type: hosted, url } = hostedAt(given) ?? { url: given };
  const server: EngineServer = { id: 'detected', url, secret };
  const http = createEngineHttp(server, { answerMs: ANSWER_MS });
  try {
    const asked = hosted ? [] : await Promise.all(QUESTIONS.map(question => ask(http, question)));
    const type = hosted ?? QUESTIONS.find((_, nth) => asked[nth] === true)?.type;
    if (!type) return { type: null, url, ok: false, models: [], ...whyNot(asked) };
    const probed = await probe(type, server);
    return { type, url, ...probed, ...(type === 'openai' && probed.ok && (await dialectOf(http))) };
  } finally {
    await http.close();
  }
}

/** Normalises an address: `http` without a scheme, as for a local machine; no query, trailing slash or `/v1`. */
function normalise(address: string): string {
  const text = address.trim();
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol) && url.hostname && !url.username)
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
  throw new AppError('invalid_request', 'The address must look like http://gpu-box:8188 or https://host/path.');
}

/** Returns true when the answer has the expected shape, and the error otherwise. */
async function ask(http: EngineHttp, { path, answer }: (typeof QUESTIONS)[number]): Promise<true | EngineError> {
  try {
    await http.json(answer, 'GET', path);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

function whyNot(errors: (true | EngineError)[]): Pick<Detected, 'detail' | 'wantsSecret'> {
  const refusals = errors.filter(error => error instanceof EngineRefusal);
  if (refusals.some(({ status }) => status === 401 || status === 403))
    return { detail: 'It answers, but needs a secret, or a different one.', wantsSecret: true };
  const reached = refusals.length > 0 || errors.some(error => error !== true && error.code === 'engine_error');
  if (reached)
    return {
      detail: 'It answers, but neither as a ComfyUI, nor as an OpenAI-compatible server, nor as a Cog container.',
    };
  return { detail: `It could not be reached: ${(errors[0] as EngineError).message}.` };
}

/** Probes a server with the connector of its type, configured to serve nothing. */
async function probe(type: EngineType, server: EngineServer): Promise<ProbeResult> {
  const engine = await (type === 'comfyui'
    ? CONNECTORS.comfyui.create(server, {})
    : CONNECTORS[type].create(server, { serves: [] }));
  try {
    return await engine.probe();
  } finally {
    await engine.close?.();
  }
}

async function dialectOf(http: EngineHttp): Promise<Pick<Detected, 'dialect' | 'suggestions'>> {
  const { data } = await http.json(Models, 'GET', '/v1/models');
  const dialect = data[0] && DIALECTS.find(({ speaks }) => speaks(data[0]!));
  return dialect ? { dialect: dialect.name, suggestions: dialect.suggestions } : {};
}
