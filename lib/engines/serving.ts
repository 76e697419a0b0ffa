import { isAble } from '#lib/engines/abilities';
import { engines } from '#lib/engines/engines';
import type { EngineEntry } from '#lib/engines/engines-file';
import { isAmong, type Variant } from '#lib/engines/served';
import { env } from '#lib/env';

/** Id of the preview engine, which draws placeholders where no other engine serves a variant, and of its line. */
export const PREVIEW = 'preview';

/** The engine that serves a variant, and the line in which its requests wait. */
export interface Serving {
  engine: string;
  line: string;
}

export const lineOf = (architecture: string, modelId: string): string => `${architecture}/${modelId}`;

/** Whether an engine is configured to serve a variant. */
export const serves = (entry: EngineEntry, architecture: string, modelId: string): boolean =>
  entry.serves().some(served => isAmong(served, { architecture, modelId }));

/**
 * Returns the engine that serves a variant; null where none does, so the variant is not offered. An engine whose
 * servers lack files for the variant does not serve it.
 */
export function servingOf(architecture: string, modelId: string): Serving | null {
  const { PREVIEW: mode } = env();
  if (mode === 'on') return { engine: PREVIEW, line: PREVIEW };
  const line = lineOf(architecture, modelId);
  const able = engines().filter(entry => serves(entry, architecture, modelId) && isAble(entry.id, line));
  // while all engines are paused, requests are accepted and wait
  const first = able.find(({ paused }) => !paused) ?? able[0];
  if (first) return { engine: first.id, line };
  return mode === 'off' ? null : { engine: PREVIEW, line: PREVIEW };
}

/** Returns the engine that currently serves a waiting request; null where its line is no longer served. */
export function takerOf({ line, architecture, modelId }: Variant & { line: string }): string | null {
  // a request keeps the line it was accepted into
  if (line === PREVIEW) return env().PREVIEW === 'off' ? null : PREVIEW;
  const serving = servingOf(architecture, modelId);
  return serving?.line === line ? serving.engine : null;
}

/** Returns the ids of all engines of this deployment, including the preview engine unless it is off. */
export const engineIds = (): string[] => [
  ...engines().map(({ id }) => id),
  ...(env().PREVIEW === 'off' ? [] : [PREVIEW]),
];
