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

/** Returns a collection with all of its items. */
export async function collectionDetail(row: CollectionRow): Promise<CollectionDetailWire> {
  const generations = await readItems(row.id);
  const cover = generations.find(({ id }) => id === row.coverId) ?? generations[0] ?? null;
  return { ...collectionToWire({ row, count: generations.length, cover }), items: await toLiveWires(generations) };
}

/** Converts a shared page to its form in the API, with its URL. */
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

/** Number of characters of a prompt sent to a page, which shows at most three lines. */
const SEEN = 300;

/**
 * Like `sharedToWire`, for a page. For a collection it truncates prompts and leaves out settings, which are requested
 * when a user remixes an item: rendering many long ones, each repeated in the page, would block the process.
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

/** Shows a request of a recipe by its title: its settings belong to the recipe and are useless without its files. */
const namedItem = (generation: Generation): SharedItemWire => ({
  ...sharedItem(generation),
  ...(generation.runPart?.title && { prompt: nameOf(generation), settings: null }),
});

/** Removes the settings. The file itself contains them too, so its URL is one that serves it without them. */
function bareItem(generation: Generation, token: string): SharedItemWire {
  const { request_id, result, ...rest } = sharedItem(generation);
  const url = `${env().BASE_URL}/api/shared/${token}/${request_id}`;
  const untold = { architecture: null, model_id: null, prompt: null, settings: null };
  return { ...rest, ...untold, request_id, result: { ...result, url, seed: 0 } };
}

/** Returns the config without the fields that refer to files of the account, which are not shared. */
function settingsOf({ architecture, config }: Generation): Record<string, unknown> {
  const fields = catalog().find(architecture)?.fields;
  return Object.fromEntries(Object.entries(config).filter(([name]) => fields?.[name] && !fields[name].media));
}
