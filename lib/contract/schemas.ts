import { z } from 'zod';
import { ERROR_CODES } from '#lib/errors';
import { STATUSES } from '#lib/status';
import { MEDIA_KINDS } from '#lib/media-kind';
import { count, uuid } from '#lib/contract/values';

// The shapes of answers. Snake case lives here, in the catalog and in the to-wire functions alone.

/** A member that answers have beyond what the API promises: always there, but documented as optional. */
export const added = <S extends z.ZodType>(schema: S) => schema.meta({ added: true });

export const mediaType = z.enum(MEDIA_KINDS);

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC, milliseconds' });
const seed = z.int().min(0).max(4294967295);

const billing = z.object({
  mode: z.literal('gems'),
  gems_charged: count,
  gems_refunded: count.optional().meta({ description: 'Present on a failed request; equals gems_charged' }),
});

/** What stands for a file where it is shown small: of pictures and films the first two, of sounds the last. */
export const smallForms = {
  preview_url: added(z.url().optional()).meta({
    description: 'An image of at most 480 pixels a side that stands for an image or a video; lives as long',
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
      'Smaller forms: images of at most 480, 1024 and 2048 pixels a side, the smallest first, and of a video a short silent clip. Files that were brought get theirs within seconds; an empty list means that none can be made',
  }),
  peaks: z
    .array(z.int().min(0).max(100))
    .optional()
    .meta({ description: 'Loudness of equal parts of the audio, the loudest being 100' }),
};

export const result = z
  .object({
    type: mediaType,
    url: z.url().meta({ description: 'Download address; anyone who has it can GET it until expires_at' }),
    ...smallForms,
    content_type: added(z.enum(['image/png', 'video/mp4', 'audio/mpeg'])),
    bytes: added(z.int().min(1)),
    width: z.int().min(0).meta({ description: 'Pixels; 0 for audio' }),
    height: z.int().min(0).meta({ description: 'Pixels; 0 for audio' }),
    duration: z.number().positive().optional().meta({ description: 'Seconds; video and audio' }),
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
      description: 'That the result is made with; absent when the submit was refused',
    }),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: added(timestamp.optional()).meta({
      description: 'When it was completed, failed or cancelled; updated_at goes on where it is kept or deleted',
    }),
    billing,
    result: result.nullable(),
    error: z
      .object({ code: z.enum(['generation_failed', ...RECORDED_CODES]), message: z.string() })
      .nullable()
      .meta({ description: 'Once failed: generation_failed, or the refusal of a submit that was refused' }),
    expected: added(z.object({ width: z.int().min(0), height: z.int().min(0), duration: z.number().min(0) })).meta({
      description: 'What the result will measure: pixels (0 for audio), seconds (0 for an image)',
    }),
    favourite: added(z.boolean()),
    kept: added(z.literal(true).optional()).meta({
      description:
        'The account keeps the result: it stays until the account deletes it, whatever expires_at was before',
    }),
    preview: added(z.literal(true).optional()).meta({ description: 'Drawn by the preview engine: no model made it' }),
    run: added(z.object({ run_id: uuid, recipe: z.string(), title: z.string() }).optional()).meta({
      description: "Of a part of a recipe's run: which run, and what the recipe does there, and to what",
    }),
    removed_at: timestamp.optional().meta({ description: 'When the account removed the request from its history' }),
    status_url: z.url(),
    cancel_url: z.url(),
    queue_position: z.int().min(1).optional().meta({ description: 'Place in the queue, from 1; while queued' }),
    stage: z
      .literal('fetching_media')
      .optional()
      .meta({ description: 'While media that the body names by address are fetched' }),
    progress: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'While in progress, when the engine reports it' }),
    eta_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'From the history of this deployment; absent when unknown' }),
    frame_url: added(z.url().optional()).meta({
      description:
        'What the image looks like so far, to be read with the same key or session; another address with each change',
    }),
    warnings: z.array(issue).optional().meta({ description: 'Members of the body that were ignored' }),
  })
  .meta({ id: 'Request' });

const config = z.record(z.string(), z.unknown());

const mention = z.object({ handle: z.string(), id: uuid, kind: z.string() });

export const requestDetail = request
  .extend({
    config: config.meta({ description: 'The resolved config: every field, defaults folded in, with the seed used' }),
    mentions: z.array(mention),
    tags: added(z.array(z.string())).meta({
      description: 'That the account has given it, in the order of the alphabet',
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
      .meta({ description: 'What a submit buys first when it would leave too few gems; absent when it is off' }),
  })
  .meta({ id: 'Account' });

export const ledgerEntry = z
  .object({
    id: z.int(),
    kind: z.enum(['opening', 'grant', 'charge', 'refund', 'top_up', 'reversal']),
    gems: z.int().meta({ description: 'Signed: negative for charges' }),
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
    budget_left: count.optional().meta({ description: 'Of the monthly budget of the key; absent where it has none' }),
    enough: z.boolean().meta({ description: 'Whether both cover the price' }),
    config,
    mentions: z.array(mention),
    issues: z.array(issue),
    requires_media_measurement: z
      .literal(true)
      .optional()
      .meta({ description: 'The length of a source video makes the price and could not be measured' }),
    warnings: z.array(issue).optional(),
  })
  .meta({ id: 'Estimate' });

/** A page of a list; `id` names the component of the OpenAPI document. */
export const listOf = <T extends z.ZodType>(entity: T, id?: string) =>
  z
    .object({
      data: z.array(entity),
      next_cursor: z.string().nullable().meta({ description: 'Gives the next page as cursor; null on the last one' }),
    })
    .meta(id ? { id } : {});

export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES).meta({ description: 'More may come: treat a code that you do not know by its status' }),
      message: z.string().meta({ description: 'Says what to do; safe to show' }),
      request_id: uuid
        .optional()
        .meta({ description: 'Of a refused submit that is recorded: reads as a failed request' }),
      gems_required: z.int().optional().meta({ description: 'The price, on insufficient_gems' }),
      handle: z.string().optional().meta({ description: 'On handle_taken' }),
      issues: z.array(issue).optional().meta({ description: 'Everything that is wrong with the request' }),
      docs_url: z.url().optional().meta({ description: 'Where every path is described, on not_found' }),
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
