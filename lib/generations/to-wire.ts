import type { RequestDetailWire, RequestWire, ResultWire } from '#lib/contract/schemas';
import type { StoredResult } from '#lib/db/schema';
import { PREVIEW } from '#lib/engines/serving';
import { env } from '#lib/env';
import type { Issue } from '#lib/errors';
import { etaSeconds } from '#lib/generations/eta';
import { findFrames } from '#lib/life/frames';
import { isFinal } from '#lib/status';
import { readInputs } from '#lib/generations/inputs';
import { queuePlace } from '#lib/generations/queue-place';
import type { Readable, Shown } from '#lib/generations/read';
import { tagsOf } from '#lib/generations/tags';
import { storage } from '#lib/storage/store';
import { formsToWire, type WireForms } from '#lib/uploads/forms-to-wire';

/** Converts a request to the API's Request object, without the members that only live requests have. */
export function toWire(generation: Shown, warnings: Issue[] = []): RequestWire {
  const { id, status, gems, refunded, output, refused } = generation;
  const url = `${env().BASE_URL}/v1/requests/${id}`;
  return {
    request_id: id,
    status,
    architecture: generation.architecture,
    model_id: generation.modelId,
    type: generation.type,
    prompt: generation.prompt,
    ...(!refused && { seed: generation.seed }),
    created_at: generation.createdAt.toISOString(),
    updated_at: generation.updatedAt.toISOString(),
    ...(generation.finishedAt && { finished_at: generation.finishedAt.toISOString() }),
    billing: { mode: 'gems', gems_charged: gems, ...(refunded && { gems_refunded: gems }) },
    result: toResult(generation),
    error:
      status === 'failed'
        ? (refused ?? { code: 'generation_failed', message: generation.errorMessage ?? 'The generation failed.' })
        : null,
    expected: { width: output.width, height: output.height, duration: output.duration },
    favourite: generation.favourite,
    ...(generation.kept && { kept: true as const }),
    ...(generation.line === PREVIEW && { preview: true as const }),
    ...toRun(generation),
    ...(generation.removedAt && { removed_at: generation.removedAt.toISOString() }),
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
    ...(warnings.length > 0 && { warnings }),
  };
}

function toRun({ runId, runPart }: Shown): Pick<RequestWire, 'run'> {
  if (!runId || !runPart?.recipe || !runPart.title) return {};
  return { run: { run_id: runId, recipe: runPart.recipe, title: runPart.title } };
}

function toResult({ type, seed, result }: Shown): ResultWire | null {
  if (!result) return null;
  return {
    type,
    url: storage().url(result.key),
    ...toRenditions(result),
    content_type: result.contentType as ResultWire['content_type'],
    bytes: result.bytes,
    width: result.width,
    height: result.height,
    ...(result.duration !== undefined && { duration: result.duration }),
    seed,
    expires_at: result.expiresAt,
    moderation: { nsfw: result.nsfw },
  };
}

/** Returns the smaller forms of a stored result as the API shows them. */
export function toRenditions({ preview, ...forms }: StoredResult): WireForms {
  if (!preview) return formsToWire(forms);
  return 'peaks' in preview ? preview : { preview_url: storage().url(preview.key) };
}

/** Whether a request may have preview frames: those of the preview engine are done too fast for any. */
const showsFrames = ({ status, line }: Shown): boolean => status === 'in_progress' && line !== PREVIEW;

/** Whether no server has taken a live request yet. One `in_progress` was accepted with a free place, or fetches media. */
const isUnclaimed = ({ status, startedAt }: Shown): boolean =>
  status === 'queued' || (status === 'in_progress' && startedAt === null);

/** Converts requests to Request objects, with the queue position, progress, ETA and frame of live ones. */
export async function toLiveWires(generations: readonly Shown[]): Promise<RequestWire[]> {
  if (generations.every(({ status }) => isFinal(status))) return generations.map(one => toWire(one));
  const [places, frames] = await Promise.all([
    Promise.all(generations.map(async one => (isUnclaimed(one) ? queuePlace(one) : null))),
    findFrames(generations.filter(showsFrames).map(({ id }) => id)),
  ]);
  return Promise.all(
    generations.map(async (generation, i) => {
      const wire = toWire(generation);
      if (isFinal(generation.status)) return wire;
      const position = places[i] ?? undefined;
      const frame = frames.get(generation.id);
      const eta = await etaSeconds(generation, position);
      return {
        ...wire,
        ...(generation.status === 'queued' && position !== undefined && { queue_position: position }),
        ...(!generation.fetched && { stage: 'fetching_media' as const }),
        ...(generation.progress !== null && { progress: Math.round(generation.progress * 10_000) / 10_000 }),
        ...(eta !== null && { eta_seconds: eta }),
        ...(frame && { frame_url: `${env().BASE_URL}/v1/requests/${generation.id}/frame?at=${frame.getTime()}` }),
      };
    }),
  );
}

export const toLiveWire = async (generation: Shown): Promise<RequestWire> => (await toLiveWires([generation]))[0]!;

/** Converts a request to a Request object with its config, mentions, tags and inputs. */
export async function toDetailWire(generation: Readable): Promise<RequestDetailWire> {
  const [wire, inputs, tags] = await Promise.all([
    toLiveWire(generation),
    readInputs(generation.inputs),
    tagsOf(generation.id),
  ]);
  return {
    ...wire,
    config: generation.config,
    mentions: generation.mentions.map(({ handle, id, kind }) => ({ handle, id, kind })),
    tags,
    inputs: inputs.map(({ role, handle, media }) => ({
      role,
      url: storage().url(media.key),
      preview_url: formsToWire(media.forms).preview_url,
      content_type: media.contentType,
      ...(handle !== undefined && { handle }),
    })),
  };
}
