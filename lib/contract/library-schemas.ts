import { z } from 'zod';
import { NAME_LENGTH, NOTES_LENGTH, ZIP_SIZE } from '#lib/contract/library-limits';
import { mediaType, request, result, timestamp } from '#lib/contract/schemas';
import { count, ids, line, text, uuid } from '#lib/contract/values';

// Wire shapes of collections, shared pages and presets.

const notes = text(0, NOTES_LENGTH).nullable();

const requestIds = z.array(z.uuid('the id of a request'), 'a list of at most 200 request ids').max(200);

export const collection = z.object({
  id: uuid,
  name: z.string(),
  notes: z.string().nullable(),
  /** Number of requests that are still in the history. */
  count,
  /** The chosen cover, else the first request; null when the collection is empty. */
  cover: request.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const collectionList = z.object({ data: z.array(collection) });
/** Items are in the owner's order. */
export const collectionDetail = collection.extend({ items: z.array(request) });
export const newCollection = z.object({
  name: line(NAME_LENGTH),
  notes: notes.optional(),
  request_ids: requestIds.optional(),
});
export const patchCollection = z.object({
  name: line(NAME_LENGTH).optional(),
  notes: notes.optional(),
  /** Request to use as the cover; null for the first one. */
  cover_id: z.uuid('the id of a request').nullable().optional(),
});
/** Inserts requests together, in this order: before a given item, or at the end. Requests already present move. */
export const putItems = z.object({
  request_ids: requestIds.min(1),
  before: z.uuid('the id of a request').nullable().optional(),
});

/** Contents of a zip: the given requests, or those of a collection. */
export const zipOfRequests = z.object({ ids: ids(ZIP_SIZE) });
export const zipOfCollection = z.object({ collection: z.uuid('the id of a collection') });

/** Settings that may be shared: none that lead to other files of the owner. */
const settings = z.record(z.string(), z.unknown());

export const share = z.object({
  id: uuid,
  url: z.url(),
  /** Subject of the share: one of the two is set. */
  request_id: uuid.nullable(),
  collection_id: uuid.nullable(),
  /** The prompt, or the collection's name. */
  title: z.string(),
  settings: z.boolean(),
  created_at: timestamp,
});
export const shareList = z.object({ data: z.array(share) });
export const newShare = z
  .object({
    request_id: z.uuid('the id of a request').optional(),
    collection_id: z.uuid('the id of a collection').optional(),
    /** Whether to show prompt and settings, and let others reuse them. */
    settings: z.boolean(),
  })
  .refine(({ request_id, collection_id }) => !request_id !== !collection_id, {
    error: 'either request_id or collection_id',
  });

export const sharedItem = z.object({
  request_id: uuid,
  type: mediaType,
  /** Null, like the next three members, when the share does not include settings. */
  architecture: z.string().nullable(),
  model_id: z.string().nullable(),
  prompt: z.string().nullable(),
  settings: settings.nullable(),
  /** Whether the result is a preview, which no model made. */
  preview: z.literal(true).optional(),
  result,
  created_at: timestamp,
});
/** A shared page as a visitor with its address reads it; items of a large collection come in pages. */
export const shared = z.object({
  of: z.enum(['result', 'collection']),
  title: z.string(),
  notes: z.string().nullable(),
  items: z.array(sharedItem),
  next_cursor: z.string().nullable(),
});

/** Example results, one for each architecture that has any, chosen by an operator and visible to everyone. */
export const exampleList = z.object({ data: z.array(sharedItem) });

export const preset = z.object({
  id: uuid,
  name: z.string(),
  /** Null for a style, whose `settings` consist of a prompt and fit every architecture. */
  architecture: z.string().nullable(),
  settings,
  created_at: timestamp,
});
export const presetList = z.object({ data: z.array(preset) });
export const newPreset = z.object({ name: line(NAME_LENGTH), architecture: text(1, 100).nullable(), settings });

export const patchPreset = z.object({ name: line(NAME_LENGTH) });

/** Tags of the account, the most used first. */
export const tagList = z.object({ data: z.array(z.object({ tag: z.string(), count })) });

export const promptList = z.object({ data: z.array(z.string()) });

export type CollectionWire = z.infer<typeof collection>;
export type CollectionDetailWire = z.infer<typeof collectionDetail>;
export type ShareWire = z.infer<typeof share>;
export type SharedWire = z.infer<typeof shared>;
export type SharedItemWire = z.infer<typeof sharedItem>;
export type ExampleWire = z.infer<typeof sharedItem>;
export type PresetWire = z.infer<typeof preset>;
export type NewShare = z.infer<typeof newShare>;
export type NewPreset = z.infer<typeof newPreset>;
