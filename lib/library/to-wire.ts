import { beginning } from '#lib/beginning';
import { catalog } from '#lib/catalog/catalog';
import type {
  CollectionDetailWire,
  CollectionWire,
  PresetWire,
  SharedItemWire,
  SharedWire,
  ShareWire,
} from '#lib/contract/library-schemas';
import { env } from '#lib/env';
import { nameOf } from '#lib/generations/name-of';
import { toLiveWires, toWire } from '#lib/generations/to-wire';
import { readItems, type Collection, type CollectionRow } from '#lib/library/collections';
import type { Preset } from '#lib/library/presets';
import type { Share, Shared } from '#lib/library/shares';
import type { Generation } from '#lib/life/generation';

export const collectionToWire = ({ row, count, cover }: Collection): CollectionWire => ({
  id: row.id,
  name: row.name,
  notes: row.notes,
  count,
  cover: cover && toWire(cover),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

/** A collection with everything in it. */
export async function collectionDetail(row: CollectionRow): Promise<CollectionDetailWire> {
  const generations = await readItems(row.id);
  const cover = generations.find(({ id }) => id === row.coverId) ?? generations[0] ?? null;
  return { ...collectionToWire({ row, count: generations.length, cover }), items: await toLiveWires(generations) };
}

/** Where a shared page is. */
export const shareToWire = ({ row, title }: Share): ShareWire => ({
  id: row.id,
  url: `${env().BASE_URL}/s/${row.token}`,
  request_id: row.requestId,
  collection_id: row.collectionId,
  title,
  settings: row.settings,
  created_at: row.createdAt.toISOString(),
});

export const presetToWire = ({ id, name, architecture, body, createdAt }: Preset): PresetWire => ({
  id,
  name,
  architecture,
  settings: body,
  created_at: createdAt.toISOString(),
});

export const examplesToWire = (generations: readonly Generation[]) => ({
  data: generations.map(sharedItem),
});

export const sharedToWire = ({ token, of, title, notes, settings, items, nextCursor }: Shared): SharedWire => ({
  of,
  title,
  notes,
  items: items.map(item => (settings ? namedItem(item) : bareItem(item, token))),
  next_cursor: nextCursor,
});

/** Three lines of a prompt have fewer letters. */
const SEEN = 300;

/**
 * The same for a page. Of a collection it shows how prompts begin, and no settings: whoever remixes something asks for them. A thousand
 * long ones, each several times in a page, would hold the process up for seconds whenever somebody looks.
 */
export function sharedToPage(shared: Shared): SharedWire {
  const { items, ...page } = sharedToWire(shared);
  if (items.length === 1) return { ...page, items };
  return { ...page, items: items.map(item => ({ ...item, ...begun(item) })) };
}

const begun = ({ prompt, settings }: SharedItemWire) => ({
  prompt: prompt && beginning(prompt, SEEN),
  settings: settings && {},
});

function sharedItem(generation: Generation): SharedItemWire {
  const { request_id, type, architecture, model_id, prompt, preview, result, created_at } = toWire(generation);
  const told = { architecture, model_id, prompt, settings: settingsOf(generation) };
  return { request_id, type, ...told, ...(preview && { preview }), result: result!, created_at };
}

/** Of a run of a recipe it is told what was done: the settings of a part of it are the recipe's, and nothing without its files. */
const namedItem = (generation: Generation): SharedItemWire => ({
  ...sharedItem(generation),
  ...(generation.runPart?.title && { prompt: nameOf(generation), settings: null }),
});

/** The file of a result says how it was made: whoever is not to know gets it at an address where it does not. */
function bareItem(generation: Generation, token: string): SharedItemWire {
  const { request_id, result, ...rest } = sharedItem(generation);
  const url = `${env().BASE_URL}/api/shared/${token}/${request_id}`;
  const untold = { architecture: null, model_id: null, prompt: null, settings: null };
  return { ...rest, ...untold, request_id, result: { ...result, url, seed: 0 } };
}

/** The config without the fields that lead to files of the account: those are not shared. */
function settingsOf({ architecture, config }: Generation): Record<string, unknown> {
  const fields = catalog().find(architecture)?.fields;
  return Object.fromEntries(Object.entries(config).filter(([name]) => fields?.[name] && !fields[name].media));
}
