import { isAble } from '#lib/engines/abilities';
import { engines } from '#lib/engines/engines';
import type { EngineEntry } from '#lib/engines/engines-file';
import { isAmong, type Variant } from '#lib/engines/served';
import { env } from '#lib/env';

/** The preview engine: draws what no other engine makes. Its requests wait in a line of their own. */
export const PREVIEW = 'preview';

/** Who makes a variant of an architecture: an engine, and the line that its requests wait in. */
export interface Serving {
  engine: string;
  line: string;
}

export const lineOf = (architecture: string, modelId: string): string => `${architecture}/${modelId}`;

/** Whether an engine is there for a variant. */
export const serves = (entry: EngineEntry, architecture: string, modelId: string): boolean =>
  entry.serves().some(served => isAmong(served, { architecture, modelId }));

/** Who makes it; null where nobody does, so that it is not offered. An engine without the files for it does not. */
export function servingOf(architecture: string, modelId: string): Serving | null {
  const { PREVIEW: mode } = env();
  if (mode === 'on') return { engine: PREVIEW, line: PREVIEW };
  const line = lineOf(architecture, modelId);
  const able = engines().filter(entry => serves(entry, architecture, modelId) && isAble(entry.id, line));
  // while all are paused its requests wait
  const first = able.find(({ paused }) => !paused) ?? able[0];
  if (first) return { engine: first.id, line };
  return mode === 'off' ? null : { engine: PREVIEW, line: PREVIEW };
}

/** Which engine what waits is for by now; null where it waits in a line that nobody serves any more. */
export function takerOf({ line, architecture, modelId }: Variant & { line: string }): string | null {
  // its line stays what it was when it was accepted
  if (line === PREVIEW) return env().PREVIEW === 'off' ? null : PREVIEW;
  const serving = servingOf(architecture, modelId);
  return serving?.line === line ? serving.engine : null;
}

/** Every engine of this deployment, the preview engine included where it draws anything. */
export const engineIds = (): string[] => [
  ...engines().map(({ id }) => id),
  ...(env().PREVIEW === 'off' ? [] : [PREVIEW]),
];
