import type { RequestDetailWire, RequestWire, ResultWire } from '#lib/contract/schemas';
import type { StoredPreview } from '#lib/db/schema';
import { env } from '#lib/env';
import type { Issue } from '#lib/errors';
import { etaSeconds } from '#lib/generations/eta';
import type { Generation } from '#lib/generations/generation';
import { readInputs } from '#lib/generations/inputs';
import { queuePosition } from '#lib/generations/read';
import { storage } from '#lib/storage/store';

/** The Request object of api.md, from the row alone. */
export function toWire(generation: Generation, warnings: Issue[] = []): RequestWire {
  const { id, status, gems, refunded, output } = generation;
  const url = `${env().BASE_URL}/v1/requests/${id}`;
  return {
    request_id: id,
    status,
    architecture: generation.architecture,
    model_id: generation.modelId,
    type: generation.type,
    prompt: generation.prompt,
    created_at: generation.createdAt.toISOString(),
    updated_at: generation.updatedAt.toISOString(),
    billing: { mode: 'gems', gems_charged: gems, ...(refunded && { gems_refunded: gems }) },
    result: toResult(generation),
    error:
      status === 'failed'
        ? { code: 'generation_failed', message: generation.errorMessage ?? 'The generation failed.' }
        : null,
    expected: { width: output.width, height: output.height, duration: output.duration },
    favourite: generation.favourite,
    ...(generation.removedAt && { removed_at: generation.removedAt.toISOString() }),
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
    ...(warnings.length > 0 && { warnings }),
  };
}

function toResult({ type, seed, result }: Generation): ResultWire | null {
  if (!result) return null;
  return {
    type,
    url: storage().url(result.key),
    ...toPreview(result.preview),
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

function toPreview(preview: StoredPreview | undefined): Pick<ResultWire, 'preview_url' | 'peaks'> {
  if (!preview) return {};
  return 'peaks' in preview ? preview : { preview_url: storage().url(preview.key) };
}

/** The Request object with what only a live one has (decision 14). */
export async function toLiveWire(generation: Generation, warnings: Issue[] = []): Promise<RequestWire> {
  const wire = toWire(generation, warnings);
  if (generation.status === 'queued') wire.queue_position = await queuePosition(generation);
  if (generation.status !== 'queued' && generation.status !== 'in_progress') return wire;
  if (generation.progress !== null) wire.progress = generation.progress;
  const eta = await etaSeconds(generation);
  if (eta !== null) wire.eta_seconds = eta;
  return wire;
}

/** The Request object with the resolved config, mentions and inputs. */
export async function toDetailWire(generation: Generation): Promise<RequestDetailWire> {
  const [wire, inputs] = await Promise.all([toLiveWire(generation), readInputs(generation.inputs)]);
  return {
    ...wire,
    config: generation.config,
    mentions: generation.mentions.map(({ handle, id, kind }) => ({ handle, id, kind })),
    inputs: inputs.map(({ role, handle, media }) => ({
      role,
      url: storage().url(media.key),
      content_type: media.contentType,
      ...(handle !== undefined && { handle }),
    })),
  };
}
