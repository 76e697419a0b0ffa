import { documents, type Documents } from '#lib/documents/documents';
import { workflows } from '#lib/engines/comfyui/workflows';
import { readEnginesFile, type EngineEntry } from '#lib/engines/engines-file';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

export const ENGINES_DOCUMENT = 'engines.json';

interface Known {
  documents?: Documents;
  /** Workflows of a ComfyUI, which decide what it serves. */
  workflows?: object | undefined;
  engines: EngineEntry[];
}

/**
 * Returns the engines of this deployment in order of preference. The array is a new one exactly when something changed,
 * including what they serve.
 */
export function engines(): readonly EngineEntry[] {
  const known = singleton<Known>('engines.known', () => ({ engines: [] }));
  const current = documents();
  if (known.documents !== current) Object.assign(known, { documents: current, engines: read(current, known.engines) });
  const files = known.engines.some(({ type }) => type === 'comfyui') ? workflows() : undefined;
  if (known.workflows !== files) Object.assign(known, { workflows: files, engines: [...known.engines] });
  return known.engines;
}

function read(current: Documents, last: EngineEntry[]): EngineEntry[] {
  const text = current.get(ENGINES_DOCUMENT);
  const checked = text === undefined ? { engines: [], issues: [] } : readEnginesFile(text);
  // the document was validated when it was written, so only another version of Pomona can cause an error here
  if (!checked.engines)
    log().error({ issues: checked.issues }, 'engines.json is invalid; the last valid engines stay in use');
  const listed = checked.engines ?? last;
  return [...listed, ...enginesOfSettings().filter(({ id }) => !listed.some(entry => entry.id === id))];
}

const SHORTCUT = 'comfyui';

/** Returns the engine that COMFYUI_URL defines; an entry with the same id in engines.json replaces it. */
export function enginesOfSettings(): EngineEntry[] {
  const urls = env().COMFYUI_URL?.split(',') ?? [];
  if (urls.length === 0) return [];
  const servers = urls.map((url, at) => ({ id: `server${at + 1}`, url: url.trim() }));
  const { engines, issues } = readEnginesFile(
    JSON.stringify({ engines: [{ id: SHORTCUT, type: 'comfyui', servers }] }),
  );
  if (!engines) log().error({ issues }, 'COMFYUI_URL is invalid');
  return (engines ?? []).map(entry => ({ ...entry, ofSettings: true }));
}

/**
 * Returns the id of the engine whose servers may differ between processes, since each reads them from its own
 * COMFYUI_URL. Null where engines.json defines that engine.
 */
export const strangeEngine = (): string | null =>
  engines().some(({ id, ofSettings }) => id === SHORTCUT && !ofSettings) ? null : SHORTCUT;
