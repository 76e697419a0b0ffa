import type { EngineWire } from '#lib/contract/engine-schemas';

/** What people call a type of engine. */
const NAMES: Record<string, string> = {
  comfyui: 'ComfyUI',
  openai: 'OpenAI-compatible server',
  cog: 'Cog container',
  replicate: 'Replicate',
  fal: 'fal',
  preview: 'Built in',
};

export const typeName = (type: string): string => NAMES[type] ?? type;

/** Whether an account elsewhere pays for what it makes. */
export const isHosted = (type: string): boolean => type === 'replicate' || type === 'fal';

/** Those that somebody connected. */
export const connected = (engines: readonly EngineWire[]): EngineWire[] =>
  engines.filter(({ from }) => from !== 'built-in');
