import type { FileField } from '#lib/catalog/file-shape';
import type { ArchitectureFile, ImportChoices } from '#lib/catalog/import/import-choices';
import type { OutputChoice, WorkflowImport } from '#lib/catalog/import/import-workflow';
import { nearestToken } from '#lib/output-spec';

/** Size and length of the output, in terms of an architecture file. */
interface Shape {
  fields: Record<string, FileField>;
  output?: NonNullable<ArchitectureFile['output']>;
  /** The field that the price grows with. */
  seconds?: NonNullable<ArchitectureFile['price']['seconds']>;
  /** Fields that every architecture of the type has and this graph does not use. */
  ignores: string[];
}

const RATIOS = ['21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16', '9:21'];
const SECONDS = ['2', '3', '5', '8', '10', '15', '30', '60'];
const FPS = 24;
const MULTIPLE = 16;

export function shapeOf(
  { proposals }: WorkflowImport,
  type: OutputChoice['type'],
  exposed: ReadonlySet<string>,
  choices: Pick<ImportChoices, 'ratios' | 'sizes' | 'seconds'>,
): Shape {
  const one = (name: string) => proposals.find(proposal => proposal.name === name);
  const valueOf = (name: string, otherwise: number) => Number(one(name)?.value ?? otherwise);
  const fps = valueOf('fps', FPS);
  if (type === 'audio') return lengthOf(valueOf('duration', 10), exposed.has('duration'), choices);

  const [width, height] = [valueOf('width', 1024), valueOf('height', 1024)];
  const isSized = exposed.has('width') && exposed.has('height');
  const ratios = choices.ratios ?? RATIOS;
  const nearest = nearestToken(ratios, width / height)!;
  const side = Math.round(Math.sqrt(width * height));
  const sizes = Object.entries((isSized && choices.sizes) || {}).toSorted(([, a], [, b]) => a - b);
  const tokens = sizes.map(([token]) => token);
  const [usual] = sizes.toSorted(([, a], [, b]) => Math.abs(a - side) - Math.abs(b - side))[0] ?? [];
  const size: Shape = {
    fields: {
      aspect_ratio: { enum: isSized ? ratios : [nearest], default: nearest },
      ...(usual !== undefined && tokens.length > 1 && { resolution: { enum: tokens, default: usual } }),
    },
    output: {
      fit: 'area',
      side: tokens.length > 1 ? Object.fromEntries(sizes) : (sizes[0]?.[1] ?? side),
      multiple: Math.max(MULTIPLE, ...['width', 'height'].map(name => stepOf(one(name)))),
    },
    ignores: isSized ? [] : ['aspect_ratio'],
  };
  if (type === 'image') return size;
  const frames = valueOf('frames', fps * 5);
  if (!exposed.has('frames')) return { ...size, output: { ...size.output!, fps, frames } };
  const length = lengthOf(frames / fps, true, choices);
  return {
    ...length,
    fields: { ...size.fields, ...length.fields },
    output: { ...size.output!, fps },
    ignores: size.ignores,
  };
}

function lengthOf(seconds: number, isBound: boolean, choices: Pick<ImportChoices, 'seconds'>): Shape {
  const length = String(Math.max(1, Math.round(seconds)));
  const tokens = isBound ? [...new Set([...(choices.seconds ?? SECONDS), length])] : [length];
  const duration = { enum: tokens.toSorted((a, b) => Number(a) - Number(b)), default: length };
  return isBound
    ? { fields: { duration }, seconds: { field: 'duration', base: Number(length) }, ignores: [] }
    : { fields: { duration }, ignores: ['duration'] };
}

const stepOf = (proposal: WorkflowImport['proposals'][number] | undefined): number =>
  (proposal && 'from' in proposal.binding.set && proposal.binding.set.step) || 1;
