import type { z } from 'zod';
import type { catalogFile } from '#lib/catalog/catalog-file';
import type { FileField } from '#lib/catalog/file-shape';
import type { Workflow } from '#lib/engines/comfyui/workflow';

export type ArchitectureFile = z.input<typeof catalogFile>;
export type WorkflowFile = z.input<typeof Workflow>;

/** A field under another name, or with other limits than proposed: null takes one away. */
export interface FieldChoice {
  name?: string;
  field?: { [K in keyof FileField]: FileField[K] | null };
}

/** What the operator decides; everything that is left out is as proposed. */
export interface ImportChoices {
  id: string;
  name: string;
  description?: string;
  /** Index among the outputs. */
  output?: number;
  /** By proposal: not exposed, or exposed, perhaps with another name or other limits. */
  fields?: Record<string, false | FieldChoice>;
  /** Tokens of the form 16:9. */
  ratios?: string[];
  /** Tokens, and the side of a square of that size; the size of the graph when left out. */
  sizes?: Record<string, number>;
  /** Whole seconds. */
  seconds?: string[];
  price?: ArchitectureFile['price'];
}
