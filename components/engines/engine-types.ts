import type { EngineWire } from '#lib/contract/engine-schemas';

/** Display names of engine types. */
const NAMES: Record<string, string> = {
  comfyui: 'ComfyUI',
  openai: 'OpenAI-compatible server',
  cog: 'Cog container',
  replicate: 'Replicate',
  fal: 'fal',
  preview: 'Built in',
};

export const typeName = (type: string): string => NAMES[type] ?? type;

/** Whether results are charged to an account at an external service. */
export const isHosted = (type: string): boolean => type === 'replicate' || type === 'fal';

/** Returns the engines that are not built in. */
export const connected = (engines: readonly EngineWire[]): EngineWire[] =>
  engines.filter(({ from }) => from !== 'built-in');
