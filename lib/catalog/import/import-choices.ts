import type { z } from 'zod';
import type { catalogFile } from '#lib/catalog/catalog-file';
import type { FileField } from '#lib/catalog/file-shape';
import type { Workflow } from '#lib/engines/comfyui/workflow';

export type ArchitectureFile = z.input<typeof catalogFile>;
export type WorkflowFile = z.input<typeof Workflow>;

/** A new name or new limits for a field; null removes a limit. */
export interface FieldChoice {
  name?: string;
  field?: { [K in keyof FileField]: FileField[K] | null };
}

/** The operator's choices for an import; anything left out is as proposed. */
export interface ImportChoices {
  id: string;
  name: string;
  description?: string;
  /** Index in `outputs`. */
  output?: number;
  /** By proposal: `false` to leave it out; an object to expose it, optionally with another name or other limits. */
  fields?: Record<string, false | FieldChoice>;
  /** Aspect ratios written as `W:H`. */
  ratios?: string[];
  /** Size tokens, with the side of a square of that size; by default the size in the graph. */
  sizes?: Record<string, number>;
  /** Durations in whole seconds. */
  seconds?: string[];
  price?: ArchitectureFile['price'];
}
