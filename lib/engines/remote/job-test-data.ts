import { randomUUID } from 'node:crypto';
import type { EngineJob } from '#lib/engines/engine';
import type { OutputSpec } from '#lib/output-spec';

const OUTPUTS: Record<OutputSpec['type'], OutputSpec> = {
  image: { type: 'image', width: 200, height: 160, duration: 0, fps: 0, sound: false, sampleRate: 0 },
  video: { type: 'video', width: 64, height: 48, duration: 1, fps: 10, sound: true, sampleRate: 48_000 },
  audio: { type: 'audio', width: 0, height: 0, duration: 1, fps: 0, sound: true, sampleRate: 48_000 },
};

/** Returns a job of an architecture with the same name as its type. */
export const testJob = (type: OutputSpec['type'], prompt: string, changes: Partial<EngineJob> = {}): EngineJob => ({
  requestId: randomUUID(),
  claim: 1,
  attempt: 1,
  architecture: type,
  modelId: 'm',
  prompt,
  seed: 1,
  config: {},
  output: OUTPUTS[type],
  inputs: [],
  ...changes,
});
