import { pool } from '#lib/db/client';
import { takerOf } from '#lib/engines/serving';
import type { OutputSpec } from '#lib/output-spec';
import type { ShownRequest } from '#lib/db/shown-request';
import { remembered } from '#lib/remembered';

/** Lifetime of cached samples and places. */
const FRESH_MS = 30_000;
/** Minimum number of samples with similar output for an estimate from these alone. */
const ENOUGH_ALIKE = 3;
/** Minimum progress from which the remaining time is extrapolated. */
const TELLING_PROGRESS = 0.1;

/** Duration and output of a completed generation. */
interface Sample {
  seconds: number;
  output: Pick<OutputSpec, 'width' | 'height' | 'duration'>;
}

/**
 * Estimates the seconds until a request is done, from past ones; null if unknown or final. `position` is its place in
 * the queue until a server has taken it.
 */
export async function etaSeconds(generation: ShownRequest, position: number | undefined): Promise<number | null> {
  const { status, architecture, modelId, output, startedAt, engine, progress } = generation;
  if (status !== 'queued' && status !== 'in_progress') return null;
  const typical = typicalSeconds(
    await remembered(`samples: ${architecture}/${modelId}`, FRESH_MS, () => readSamples(generation)),
    output,
  );
  if (!startedAt) {
    if (typical === null) return null;
    const taker = takerOf(generation) ?? engine;
    const places = await remembered(`places: ${taker}`, FRESH_MS, () => readPlaces(taker));
    return round(typical * (1 + ((position ?? 1) - 1) / Math.max(1, places)));
  }
  const running = (Date.now() - startedAt.getTime()) / 1000;
  if (progress !== null && progress >= TELLING_PROGRESS) return atLeastOne((running / progress) * (1 - progress));
  return typical === null ? null : atLeastOne(typical - running);
}

/** A running request always takes at least another second. */
const atLeastOne = (seconds: number) => Math.max(1, round(seconds));
const round = (seconds: number) => Math.round(seconds * 10) / 10;

/** Returns the median of samples with a similar amount of work; if there are too few, of all, scaled by their work. */
function typicalSeconds(samples: readonly Sample[], output: Sample['output']): number | null {
  if (samples.length === 0) return null;
  const alike = samples.filter(sample => Math.abs(workOf(sample.output) / workOf(output) - 1) < 0.05);
  if (alike.length >= ENOUGH_ALIKE) return median(alike.map(({ seconds }) => seconds));
  return median(samples.map(sample => sample.seconds / workOf(sample.output))) * workOf(output);
}

/** Amount of work: pixels times seconds of output. */
const workOf = ({ width, height, duration }: Sample['output']): number => (width * height || 1) * (duration || 1);

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

async function readSamples({ architecture, modelId }: ShownRequest): Promise<Sample[]> {
  const { rows } = await pool().query<Sample>({
    name: 'eta_samples',
    text: `select extract(epoch from finished_at - started_at)::float as seconds, output from requests
      where architecture = $1 and model_id = $2 and status = 'completed' and started_at is not null
      order by finished_at desc limit 50`,
    values: [architecture, modelId],
  });
  return rows;
}

async function readPlaces(engine: string): Promise<number> {
  const { rows } = await pool().query<{ places: number }>(
    'select coalesce(sum(places), 0)::int as places from servers where engine = $1 and ok',
    [engine],
  );
  return rows[0]?.places ?? 0;
}
