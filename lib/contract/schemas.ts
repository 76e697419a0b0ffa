import { z } from 'zod';
import { ERROR_CODES } from '#lib/errors';
import { STATUSES } from '#lib/status';
import { MEDIA_KINDS } from '#lib/media-kind';
import { count, uuid } from '#lib/contract/values';

// Shapes of answers. Snake case is confined to these schemas, the catalog and the to-wire functions.

/** Marks a member beyond what the API promises: always present, but documented as optional. */
export const added = <S extends z.ZodType>(schema: S) => schema.meta({ added: true });

export const mediaType = z.enum(MEDIA_KINDS);

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC, milliseconds' });
const seed = z.int().min(0).max(4294967295);

const billing = z.object({
  mode: z.literal('gems'),
  gems_charged: count,
  gems_refunded: count.optional().meta({ description: 'Present on a failed request; equals gems_charged' }),
});

/** Small stand-ins for a file: the first two for images and videos, the last for audio. */
export const smallForms = {
  preview_url: added(z.url().optional()).meta({
    description: 'A preview image of at most 480 pixels a side, for images and videos; lives as long as the file',
  }),
  renditions: added(
    z
      .array(
        z.object({
          url: z.url(),
          content_type: z.enum(['image/webp', 'video/mp4']),
          width: z.int().min(1),
          height: z.int().min(1),
        }),
      )
      .optional(),
  ).meta({
    description:
      'Smaller forms, the smallest first: images of at most 480, 1024 and 2048 pixels a side, and for a video a short silent clip. Files you send get theirs within seconds; an empty list means that none can be made',
  }),
  peaks: z
    .array(z.int().min(0).max(100))
    .optional()
    .meta({ description: 'Loudness of equal parts of the audio; the loudest is 100' }),
};

export const result = z
  .object({
    type: mediaType,
    url: z.url().meta({ description: 'Download address; anyone who has it can GET the file until expires_at' }),
    ...smallForms,
    content_type: added(z.enum(['image/png', 'video/mp4', 'audio/mpeg'])),
    bytes: added(z.int().min(1)),
    width: z.int().min(0).meta({ description: 'Pixels; 0 for audio' }),
    height: z.int().min(0).meta({ description: 'Pixels; 0 for audio' }),
    duration: z.number().positive().optional().meta({ description: 'Seconds; for video and audio' }),
    seed,
    expires_at: timestamp,
    moderation: z.object({ nsfw: z.boolean() }),
  })
  .meta({ id: 'Result' });

/** Refusals that are recorded: they replay under their idempotency key and can be read under their request_id. */
const RECORDED_CODES = ['insufficient_gems', 'content_blocked', 'architecture_retired'] as const;

export const requestStatus = z.enum(STATUSES);

export const issue = z.object({
  path: z.string().meta({ description: 'JSON pointer; empty for the whole body' }),
  message: z.string(),
});

export const request = z
  .object({
    request_id: uuid,
    status: requestStatus,
    architecture: z.string(),
    model_id: z.string(),
    type: added(mediaType),
    prompt: added(z.string()),
    seed: added(seed.optional()).meta({
      description: 'The seed of the result; absent if the submit was refused',
    }),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: added(timestamp.optional()).meta({
      description: 'When it was completed, failed or cancelled; keeping or deleting it later changes only updated_at',
    }),
    billing,
    result: result.nullable(),
    error: z
      .object({
        code: z.enum(['generation_failed', ...RECORDED_CODES]),
        message: z.string(),
        gems_required: added(count.optional()).meta({ description: 'On insufficient_gems: the price' }),
      })
      .nullable()
      .meta({ description: 'On a failed request: generation_failed, or the code of a refused submit' }),
    expected: added(z.object({ width: z.int().min(0), height: z.int().min(0), duration: z.number().min(0) })).meta({
      description: 'Expected size of the result: pixels (0 for audio) and seconds (0 for an image)',
    }),
    favourite: added(z.boolean()),
    kept: added(z.literal(true).optional()).meta({
      description:
        'The account keeps the result: it stays until the account deletes it, whatever expires_at was before',
    }),
    preview: added(z.literal(true).optional()).meta({
      description: 'Drawn by the preview engine, not made by a model',
    }),
    run: added(z.object({ run_id: uuid, recipe: z.string(), title: z.string() }).optional()).meta({
      description: 'For a request of a recipe run: which run, and what this step does, and to what',
    }),
    removed_at: timestamp.optional().meta({ description: 'When the account removed the request from its history' }),
    status_url: z.url(),
    cancel_url: z.url(),
    queue_position: z.int().min(1).optional().meta({ description: 'Place in the queue, from 1; only while queued' }),
    stage: z
      .literal('fetching_media')
      .optional()
      .meta({ description: 'Present while media that the body names by address are fetched' }),
    progress: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Only while in progress, if the engine reports it' }),
    eta_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Estimated from the history of this deployment; absent if unknown' }),
    frame_url: added(z.url().optional()).meta({
      description:
        'What the image looks like so far; read it with the same key or session. The address changes with each update',
    }),
    warnings: z.array(issue).optional().meta({ description: 'Members of the body that were ignored' }),
  })
  .meta({ id: 'Request' });

const config = z.record(z.string(), z.unknown());

const mention = z.object({ handle: z.string(), id: uuid, kind: z.string() });

export const requestDetail = request
  .extend({
    config: config.meta({ description: 'The resolved config: every field, including defaults and the seed used' }),
    mentions: z.array(mention),
    tags: added(z.array(z.string())).meta({
      description: 'Tags that the account gave it, in alphabetical order',
    }),
    inputs: z.array(
      z.object({
        role: z.string(),
        url: z.url(),
        preview_url: smallForms.preview_url,
        content_type: z.string(),
        handle: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'RequestDetail' });

export const account = z
  .object({
    gems: z.object({ balance: count }),
    auto_top_up: z
      .object({ threshold: count, gems: z.int().min(1), monthly_limit: z.int().min(1) })
      .optional()
      .meta({ description: 'What a submit buys first if it would leave too few gems; absent if auto top-up is off' }),
  })
  .meta({ id: 'Account' });

export const ledgerEntry = z
  .object({
    id: z.int(),
    kind: z.enum(['opening', 'grant', 'charge', 'refund', 'top_up', 'reversal']),
    gems: z.int().meta({ description: 'Negative for charges' }),
    balance_after: count,
    request_id: uuid.nullable(),
    reason: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'LedgerEntry' });

export const estimate = z
  .object({
    gems: z.int().min(1),
    balance: count,
    budget_left: count
      .optional()
      .meta({ description: 'What is left of the monthly budget of the key; absent if it has none' }),
    enough: z.boolean().meta({ description: 'Whether balance and budget_left both cover the price' }),
    config,
    mentions: z.array(mention),
    issues: z.array(issue),
    requires_media_measurement: z
      .literal(true)
      .optional()
      .meta({ description: 'The price depends on the length of a source video that could not be measured' }),
    warnings: z.array(issue).optional(),
  })
  .meta({ id: 'Estimate' });

/** A page of a list; `id` names the component of the OpenAPI document. */
export const listOf = <T extends z.ZodType>(entity: T, id?: string) =>
  z
    .object({
      data: z.array(entity),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Send it as cursor to get the next page; null on the last page' }),
    })
    .meta(id ? { id } : {});

export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES).meta({ description: 'New codes may be added: treat unknown ones by their status' }),
      message: z.string().meta({ description: 'Says what to do; safe to show to users' }),
      request_id: uuid
        .optional()
        .meta({ description: 'For a refused submit that is kept: the id under which it reads as a failed request' }),
      gems_required: z.int().optional().meta({ description: 'On insufficient_gems: the price' }),
      handle: z.string().optional().meta({ description: 'On handle_taken' }),
      issues: z.array(issue).optional().meta({ description: 'Everything that is wrong with the request' }),
      docs_url: z.url().optional().meta({ description: 'On not_found: where every path is described' }),
    }),
  })
  .meta({ id: 'Error' });

export const requestList = listOf(request, 'RequestList');
export const ledgerList = listOf(ledgerEntry, 'LedgerList');

export type RequestWire = z.infer<typeof request>;
export type RequestDetailWire = z.infer<typeof requestDetail>;
export type ResultWire = z.infer<typeof result>;
export type AccountWire = z.infer<typeof account>;
export type LedgerEntryWire = z.infer<typeof ledgerEntry>;
export type EstimateWire = z.infer<typeof estimate>;
export type ListWire<T> = { data: T[]; next_cursor: string | null };
