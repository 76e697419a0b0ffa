import { once } from 'node:events';
import { getArchitecture } from '#lib/catalog/catalog';
import { outputOf } from '#lib/catalog/output-of';
import { resolveConfig } from '#lib/catalog/resolve-config';
import { createPreviewEngine } from '#preview-engine/engine';
import { newId } from '#lib/ids';
import { medianOf } from './measure.ts';

/** Outputs to generate, each with the maximum time in seconds on one core. */
const WORKS = [
  {
    what: '1024×1280 PNG',
    architecture: 'mango',
    body: { resolution: '1K', aspect_ratio: '4:5' },
    size: { width: 1024, height: 1280 },
    limit: 0.6,
  },
  { what: '5 s of 480p video with sound', architecture: 'lemon', body: { duration: '5' }, size: {}, limit: 4 },
  { what: '30 s of MP3', architecture: 'seed_audio', body: { duration: '30' }, size: {}, limit: 1 },
];

/** Measures the seconds that the built-in engine takes from submit to the finished file, when warmed up. */
export async function engineFigures(): Promise<string[]> {
  const engine = createPreviewEngine({ concurrency: 1 });
  const context = { signal: new AbortController().signal };
  const lines: string[] = [];
  for (const { what, architecture: id, body, size, limit } of WORKS) {
    const architecture = getArchitecture(id);
    const times: number[] = [];
    for (let round = 0; round < 4; round++) {
      const { config, modelId } = resolveConfig(architecture, { prompt: 'a lighthouse at dusk', ...body });
      const output = { ...outputOf(architecture, config), ...size };
      const job = {
        requestId: newId(),
        claim: 1,
        attempt: 1,
        architecture: id,
        modelId,
        prompt: 'a lighthouse at dusk',
        seed: round,
        config,
        output,
        inputs: [],
      };
      const begun = performance.now();
      const ref = await engine.submit(job, engine.reserve(job), context);
      if (engine.watch) for await (const _ of engine.watch(ref, context));
      const done = await engine.poll(ref, context);
      if (done.state !== 'succeeded') throw new Error(`${what} ended ${done.state}`);
      times.push((performance.now() - begun) / 1000);
      const stream = await engine.collect(done.output, context);
      stream.resume();
      await once(stream, 'close');
    }
    const seconds = medianOf(times.slice(1));
    lines.push(`${seconds <= limit ? 'ok   ' : 'SHORT'}  ${what.padEnd(34)} ${seconds.toFixed(2)} s (≤ ${limit} s)`);
  }
  return lines;
}
