/** The preview engine: serves what no other engine does. */
export const PREVIEW = 'preview';

/** Every engine of this deployment. */
export const engineIds = (): string[] => [PREVIEW];

/** What serves a variant of an architecture: the engine, and the line that its requests wait in. */
export const servingOf = (_architecture: string, _modelId: string): { engine: string; line: string } => ({
  engine: PREVIEW,
  line: PREVIEW,
});
