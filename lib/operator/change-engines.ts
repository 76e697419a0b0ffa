import { recordAct, type Actor } from '#lib/accounts/audit';
import type { EngineEntryWire } from '#lib/contract/engine-schemas';
import { db } from '#lib/db/client';
import { documents, lockDocument, refreshDocuments, writeDocument } from '#lib/documents/documents';
import { ENGINES_DOCUMENT, enginesOfSettings } from '#lib/engines/engines';
import { readEnginesFile } from '#lib/engines/engines-file';
import { PREVIEW } from '#lib/engines/serving';
import { AppError, invalid, type Issue } from '#lib/errors';
import { entriesOf, fromEntryWire, rawOf, toEntryWire, type RawEntry } from '#lib/operator/engine-entries';
import { requireSame } from '#lib/operator/revision';

/** Returns an engine as the operator entered it, or as the settings define it. Throws `not_found`. */
export const getEngine = (id: string): EngineEntryWire => toEntryWire(find(current(), id));

/** Returns the entry of an engine, including its sealed secrets. */
export const findRaw = (id: string): RawEntry | undefined => current().find(entry => entry.id === id);

/** Adds an engine, last in the order of preference. */
export async function addEngine(actor: Actor, given: EngineEntryWire): Promise<EngineEntryWire> {
  const { raw } = fromEntryWire(given);
  await change(actor, { act: 'engine.add', id: given.id }, entries => {
    requireFree(entries, given.id);
    return [...entries, raw];
  });
  return toEntryWire(raw);
}

/** Replaces an entry. `paused` is kept, since it is changed separately and may have changed meanwhile. */
export async function replaceEngine(actor: Actor, id: string, given: EngineEntryWire): Promise<EngineEntryWire> {
  await change(actor, { act: 'engine.change', id, newId: given.id }, entries => {
    const before = find(entries, id);
    requireSame('engine', given.revision, toEntryWire(before).revision);
    if (given.id !== id) {
      requireOwn(id);
      requireFree(entries, given.id);
    }
    const { raw } = fromEntryWire({ ...given, paused: before.paused === true }, before);
    return entries.map(entry => (entry === before ? raw : entry));
  });
  return getEngine(given.id);
}

/** Pauses or resumes an engine. */
export async function pauseEngine(actor: Actor, id: string, paused: boolean): Promise<void> {
  await change(actor, { act: paused ? 'engine.pause' : 'engine.resume', id }, entries => {
    const before = find(entries, id);
    const { paused: _, ...rest } = before;
    return entries.map(entry => (entry === before ? { ...rest, ...(paused && { paused }) } : entry));
  });
}

/** Moves an engine to another place in the order of preference, counted from 0. */
async function placeEngine(actor: Actor, id: string, place: number): Promise<void> {
  await change(actor, { act: 'engine.order', id, facts: { place } }, entries => {
    const moved = find(entries, id);
    // copied, so that `change` writes engines of the settings to the file too, at their place
    return entries
      .filter(entry => entry !== moved)
      .toSpliced(place, 0, moved)
      .map(entry => ({ ...entry }));
  });
}

/** Pauses, resumes or moves an engine, as far as the members are given. */
export async function changeEngine(
  actor: Actor,
  id: string,
  { paused, place }: { paused?: boolean | undefined; place?: number | undefined },
): Promise<EngineEntryWire> {
  if (paused !== undefined) await pauseEngine(actor, id, paused);
  if (place !== undefined) await placeEngine(actor, id, place);
  return getEngine(id);
}

/** Removes an engine. Its jobs are retried on another engine, or wait for one. */
export async function removeEngine(actor: Actor, id: string): Promise<void> {
  await change(actor, { act: 'engine.remove', id }, entries => {
    const gone = find(entries, id);
    requireOwn(id);
    return entries.filter(entry => entry !== gone);
  });
}

/** Refuses an engine that the settings define: without its entry in the file it would reappear as the settings say. */
function requireOwn(id: string): void {
  if (isIn(enginesOfSettings(), id))
    throw new AppError(
      'invalid_request',
      `The engine ${id} comes from the setting COMFYUI_URL. Remove that setting instead.`,
    );
}

interface EngineAct {
  act: string;
  id: string;
  newId?: string;
  /** Facts for the audit log, instead of those of the entry. */
  facts?: Record<string, unknown>;
}

/** Edits the list of engines for all processes and records the act in the audit log. */
async function change(
  actor: Actor,
  { act, id, newId = id, facts }: EngineAct,
  edit: (entries: RawEntry[]) => RawEntry[],
): Promise<void> {
  await db().transaction(async tx => {
    const inFile = entriesOf(await lockDocument(ENGINES_DOCUMENT, tx));
    const before = withSettings(inFile);
    const isOfSettings = (entry: RawEntry) => before.includes(entry) && !inFile.includes(entry);
    // an engine of the settings is written to the file only once an edit has changed its entry
    const after = edit(before).filter(entry => !isOfSettings(entry));
    const text = `${JSON.stringify({ engines: after }, null, 2)}\n`;
    const { issues } = readEnginesFile(text);
    if (issues.length) throw invalid('invalid_request', issues.map(toSentence));
    await writeDocument(ENGINES_DOCUMENT, text, tx);
    const was = before.find(entry => entry.id === id);
    const is = after.find(entry => entry.id === newId);
    const told = facts ? { after: facts } : { ...(was && { before: factsOf(was) }), ...(is && { after: factsOf(is) }) };
    await recordAct(actor, { act, subject: id, ...told }, tx);
  });
  await refreshDocuments();
}

const toSentence = ({ path, message }: Issue): Issue => ({ path, message: `engines.json, ${path}: ${message}.` });

const current = (): RawEntry[] => withSettings(entriesOf(documents().get(ENGINES_DOCUMENT)));

const withSettings = (entries: RawEntry[]): RawEntry[] => [
  ...entries,
  ...enginesOfSettings()
    .map(rawOf)
    .filter(({ id }) => !isIn(entries, id)),
];

const isIn = (entries: readonly { id: unknown }[], id: string): boolean => entries.some(entry => entry.id === id);

/** Returns the facts of an entry for the audit log, without its secrets, sealed or not. */
function factsOf(raw: RawEntry): Record<string, unknown> {
  const { type, paused, servers, options } = toEntryWire(raw);
  return { type, paused, servers: servers.map(({ url }) => url).join(', '), ...options };
}

function find(entries: RawEntry[], id: string): RawEntry {
  const found = entries.find(entry => entry.id === id);
  if (found) return found;
  const message =
    id === PREVIEW
      ? `The engine ${PREVIEW} is built in: there is nothing to test or pause. The setting PREVIEW says what it draws: on, unserved or off.`
      : `There is no engine ${id}.`;
  throw new AppError('not_found', message);
}

function requireFree(entries: RawEntry[], id: string): void {
  if (isIn(entries, id))
    throw invalid('invalid_request', [{ path: '/id', message: `There is already an engine ${id}.` }]);
}
