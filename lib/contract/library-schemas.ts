import { z } from 'zod';
import { NAME_LENGTH, NOTES_LENGTH, ZIP_SIZE } from '#lib/contract/library-limits';
import { mediaType, request, result, timestamp } from '#lib/contract/schemas';
import { count, ids, line, text, uuid } from '#lib/contract/values';

// Wire shapes of what an account puts together for itself: collections, shared pages, presets.

const notes = text(0, NOTES_LENGTH).nullable();

const requestIds = z.array(z.uuid('the id of a request'), 'a list of at most 200 request ids').max(200);

export const collection = z.object({
  id: uuid,
  name: z.string(),
  notes: z.string().nullable(),
  /** Of those that are still in the history. */
  count,
  /** What stands for it: the chosen request, else the first one; null while it is empty. */
  cover: request.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const collectionList = z.object({ data: z.array(collection) });
/** In the order that its owner gave it. */
export const collectionDetail = collection.extend({ items: z.array(request) });
export const newCollection = z.object({
  name: line(NAME_LENGTH),
  notes: notes.optional(),
  request_ids: requestIds.optional(),
});
export const patchCollection = z.object({
  name: line(NAME_LENGTH).optional(),
  notes: notes.optional(),
  /** The request that stands for it; null for the first one. */
  cover_id: z.uuid('the id of a request').nullable().optional(),
});
/** Puts requests in, together and in this order: before one that is in it, or at the end. Those that are in it move. */
export const putItems = z.object({
  request_ids: requestIds.min(1),
  before: z.uuid('the id of a request').nullable().optional(),
});

/** What a zip is made of: these requests, or those of a collection. */
export const zipOfRequests = z.object({ ids: ids(ZIP_SIZE) });
export const zipOfCollection = z.object({ collection: z.uuid('the id of a collection') });

/** What may be told of a request: of the settings nothing that leads to other files of its owner. */
const settings = z.record(z.string(), z.unknown());

export const share = z.object({
  id: uuid,
  url: z.url(),
  /** What it shows: one of the two. */
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
    /** Show prompt and settings, and let others take them over. */
    settings: z.boolean(),
  })
  .refine(({ request_id, collection_id }) => !request_id !== !collection_id, {
    error: 'either request_id or collection_id',
  });

export const sharedItem = z.object({
  request_id: uuid,
  type: mediaType,
  /** Without `settings`, the name of nothing but the medium. */
  architecture: z.string().nullable(),
  model_id: z.string().nullable(),
  prompt: z.string().nullable(),
  settings: settings.nullable(),
  /** No model made it. */
  preview: z.literal(true).optional(),
  result,
  created_at: timestamp,
});
/** A shared page as whoever has its address reads it; of a large collection a part. */
export const shared = z.object({
  of: z.enum(['result', 'collection']),
  title: z.string(),
  notes: z.string().nullable(),
  items: z.array(sharedItem),
  next_cursor: z.string().nullable(),
});

/** What models make, one result of each that has any: as an operator chose it, for whoever comes by. */
export const exampleList = z.object({ data: z.array(sharedItem) });

export const preset = z.object({
  id: uuid,
  name: z.string(),
  /** Null for a style, whose `settings` are its prompt alone and fit every model. */
  architecture: z.string().nullable(),
  settings,
  created_at: timestamp,
});
export const presetList = z.object({ data: z.array(preset) });
export const newPreset = z.object({ name: line(NAME_LENGTH), architecture: text(1, 100).nullable(), settings });

export const patchPreset = z.object({ name: line(NAME_LENGTH) });

/** Tags of the account, those on most requests first. */
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
