import { EventEmitter, on } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { TrialStateWire, TrialWire } from '#lib/contract/engine-schemas';
import { db } from '#lib/db/client';
import { servers } from '#lib/db/schema';
import { collectOutput } from '#lib/engines/collect-output';
import { driveEngine } from '#lib/engines/drive-engine';
import { EngineError, type EngineRef, type Snapshot } from '#lib/engines/engine';
import { AppError } from '#lib/errors';
import { log } from '#lib/log';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { prepareTrial, type Trial } from '#lib/operator/prepare-trial';
import { sampleFile } from '#lib/operator/sample-file';

/** Maximum size of a result that is shown. A larger result still counts as a success. */
const SHOWN_BYTES = 16_000_000;
/** Interval at which the last state is repeated, so that proxies do not close the connection as idle. */
const SAY_EVERY_MS = 10_000;

/**
 * Runs one job on an engine, which need not be saved, and yields its states. Throws `invalid_request` and `not_found`
 * before the start; later failures are yielded as the last state. Nothing is charged or kept. `signal` cancels the job.
 */
export async function tryEngine(wanted: TrialWire, signal: AbortSignal): Promise<AsyncGenerator<TrialStateWire>> {
  return statesOf(await prepareTrial(wanted), signal);
}

async function* statesOf(trial: Trial, aborted: AbortSignal): AsyncGenerator<TrialStateWire> {
  const left = new AbortController();
  const signal = AbortSignal.any([aborted, left.signal]);
  const news = new EventEmitter();
  let last: TrialStateWire = { state: 'queued', position: null };
  const tell = (state: TrialStateWire) => news.emit('state', (last = state));
  const again = setInterval(() => tell(last.state === 'running' ? { ...last, frame: null } : last), SAY_EVERY_MS);
  const states = on(news, 'state', { close: ['end'] });
  const ended = run(trial, signal, snapshot => tell(toWire(snapshot)))
    .then(tell, (error: unknown) => signal.aborted || tell(toFailure(error)))
    .finally(() => news.emit('end'));
  try {
    for await (const [state] of states) yield state as TrialStateWire;
  } finally {
    clearInterval(again);
    left.abort();
    await ended;
  }
}

async function run(
  { engine, server, job, roles, stallSeconds }: Trial,
  signal: AbortSignal,
  onSnapshot: (snapshot: Snapshot) => void,
): Promise<TrialStateWire> {
  const begunAt = performance.now();
  let ref: EngineRef | null = null;
  const saveRef = async (saved: EngineRef | null) => void (ref = saved);
  const stallMs = stallSeconds * 1000;
  try {
    return await inTemporaryFolder(async folder => {
      const inputs = [];
      for (const role of roles) inputs.push(await sampleFile(role, folder));
      const whole = { ...job, inputs };
      const output = await driveEngine({ engine, job: whole, saved: null, saveRef, onSnapshot, signal, stallMs });
      const made = await collectOutput(engine, output, job, folder, { signal });
      await forgetTrouble(server);
      const { path, contentType, width, height, duration } = made;
      const { size: bytes } = await stat(path);
      const url = bytes <= SHOWN_BYTES ? dataUrl(contentType, await readFile(path)) : null;
      const file = { url, content_type: contentType, bytes, width, height, duration: duration ?? null };
      return { state: 'succeeded', media: file, seconds: (performance.now() - begunAt) / 1000 };
    });
  } catch (error) {
    if (signal.aborted && ref) await engine.cancel(ref);
    throw error;
  } finally {
    await engine.close?.();
  }
}

/** Clears the trouble recorded for a server, after a trial succeeded on it. */
const forgetTrouble = (server: string) =>
  db().update(servers).set({ trouble: null, troubleAt: null }).where(eq(servers.id, server));

function toWire(snapshot: Snapshot): TrialStateWire {
  if (snapshot.state === 'queued') return { state: 'queued', position: snapshot.position ?? null };
  const { progress = null, frame } = snapshot.state === 'running' ? snapshot : {};
  return { state: 'running', progress, frame: frame ? dataUrl(frame.contentType, frame.bytes) : null };
}

const dataUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

function toFailure(error: unknown): TrialStateWire {
  if (error instanceof EngineError || error instanceof AppError)
    return { state: 'failed', code: error.code, message: error.message };
  log().error({ err: error }, 'engine trial failed');
  return { state: 'failed', code: 'internal_error', message: 'It failed. The reason is in the log.' };
}
