import { pool } from '#lib/db/client';
import { takerOf } from '#lib/engines/serving';
import type { OutputSpec } from '#lib/output-spec';
import type { ShownRequest } from '#lib/db/shown-request';
import { remembered } from '#lib/remembered';
import { LIVE_LIST } from '#lib/status';
import { sum } from '#lib/sum';

/** Lifetime of cached samples. */
const FRESH_MS = 30_000;
/** Lifetime of what is cached of a line. */
const LINE_FRESH_MS = 2_000;
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
  const { status, output, startedAt, progress } = generation;
  if (status !== 'queued' && status !== 'in_progress') return null;
  const typical = typicalSeconds(await samplesOf(generation), output);
  if (!startedAt)
    return typical === null ? null : round(typical + (await waitSeconds(generation, position ?? 1, typical)));
  const running = (Date.now() - startedAt.getTime()) / 1000;
  if (progress !== null && progress >= TELLING_PROGRESS) return atLeastOne((running / progress) * (1 - progress));
  return typical === null ? null : atLeastOne(typical - running);
}

/** Estimates the seconds until a server takes the request at a position; `usual` is assumed where there is no history. */
async function waitSeconds(generation: ShownRequest, position: number, usual: number): Promise<number> {
  const { line } = generation;
  const taker = takerOf(generation) ?? generation.engine;
  const { places, running, mean } = await remembered(`line: ${line}`, LINE_FRESH_MS, () => readLine(line, taker));
  // on average, half of what runs at full places is still to be done
  const halves = running >= places ? places / 2 : 0;
  return ((mean ?? usual) * (position - 1 + halves)) / Math.max(1, places);
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

interface Variant {
  architecture: string;
  modelId: string;
}

const samplesOf = (variant: Variant): Promise<Sample[]> =>
  remembered(`samples: ${variant.architecture}/${variant.modelId}`, FRESH_MS, () => readSamples(variant));

async function readSamples({ architecture, modelId }: Variant): Promise<Sample[]> {
  const { rows } = await pool().query<Sample>({
    name: 'eta_samples',
    text: `select extract(epoch from finished_at - started_at)::float as seconds, output from requests
      where architecture = $1 and model_id = $2 and status = 'completed' and started_at is not null
      order by finished_at desc limit 50`,
    values: [architecture, modelId],
  });
  return rows;
}

interface Line {
  places: number;
  running: number;
  /** Mean duration of what waits, in seconds; null without history. */
  mean: number | null;
}

/** Reads the servers of a line and the requests in it. */
async function readLine(line: string, engine: string): Promise<Line> {
  const { rows } = await pool().query<Omit<Line, 'mean'> & { waiting: (Variant & { count: number })[] }>({
    name: 'eta_line',
    text: `
      select (select coalesce(sum(places), 0)::int from servers where engine = $2 and ok) as places,
        (select count(*)::int from requests where line = $1 and worker is not null and status in (${LIVE_LIST})) as running,
        (
          select coalesce(json_agg(variants), '[]') from (
            select architecture, model_id as "modelId", count(*)::int from (
              select architecture, model_id from requests
              where line = $1 and worker is null and fetched and status in (${LIVE_LIST}) order by turn_at, id limit 200
            ) first group by 1, 2
          ) variants
        ) as waiting`,
    values: [line, engine],
  });
  const { waiting, ...counts } = rows[0]!;
  const told = await Promise.all(
    waiting.map(async variant => ({ ...variant, seconds: (await samplesOf(variant)).map(({ seconds }) => seconds) })),
  );
  const known = told.filter(({ seconds }) => seconds.length > 0);
  const total = sum(known.map(({ count, seconds }) => count * median(seconds)));
  return { ...counts, mean: known.length ? total / sum(known.map(({ count }) => count)) : null };
}
