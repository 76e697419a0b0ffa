import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readBalance } from '#lib/accounts/ledger';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { pool } from '#lib/db/client';
import { EngineError } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { cancelGeneration } from '#lib/generations/cancel';
import { renderMetrics } from '#lib/http/scrape';
import { giveBack, MAX_INTERRUPTIONS, type Claim } from '#lib/life/claim';
import { DecoderKilled } from '#lib/media/decoder';
import { temporaryFolder } from '#lib/process/temporary-folder';
import { faultOf } from '#lib/storage/bucket-answer';
import { refusePuts } from '#lib/storage/test-outage';
import { cutConnections, firstCut } from '#lib/worker/cut-test-connections';
import { hasRoom } from '#lib/worker/room';
import { runGeneration } from '#lib/worker/run';
import { PAUSE, QUIET, setRunStage } from '#lib/worker/run-test-stage';
import { DONE, never, scriptedEngine, serverOf, type ScriptedEngine } from '#lib/worker/scripted-test-engine';

const disk = vi.hoisted(() => ({ isOut: false }));
vi.mock('#lib/process/temporary-folder', async original => {
  const real = await original<typeof import('#lib/process/temporary-folder')>();
  const full = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
  return { ...real, makeTemporaryFolder: () => (disk.isOut ? full() : real.makeTemporaryFolder()) };
});

const stage = await setRunStage();
const { caller, submit, read, claim, files } = stage;
let engine: ScriptedEngine;
beforeEach(() => {
  engine = scriptedEngine();
});

const run = (claimed: Claim, options?: Partial<typeof QUIET>) => stage.run(engine, claimed, options);

test('a server that cannot be reached uses up neither attempts nor interruptions', async () => {
  const id = await submit();
  engine.polls = [new EngineError('engine_unavailable', 'connection refused', true)];
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  for (let n = 0; n < 6; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    worker: null,
    notBefore: PAUSE,
    attempts: 0,
    interruptions: 0,
  });
  // the server gets no work until a probe succeeds
  const { rows } = await pool().query('delete from servers returning ok, detail, trouble');
  expect(rows).toEqual([{ ok: false, detail: 'connection refused', trouble: null }]);
});

test('an output that cannot be collected fails the request after three attempts, without another submit', async () => {
  const id = await submit();
  const balance = await readBalance(caller.accountId);
  engine.collect = () => Promise.reject(new LostAnswer('engine_unavailable', 'other side closed', true));
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  for (const attempts of [1, 2]) {
    await run(await claim(id));
    expect(await read(id)).toMatchObject({ finishedAt: null, attempts, interruptions: 0, notBefore: PAUSE });
    // the next attempt follows the next probe
    const { rows } = await pool().query('update servers set ok = true from servers was returning was.ok');
    expect(rows).toEqual([{ ok: false }]);
  }
  await run(await claim(id));
  await pool().query('delete from servers');
  expect(engine.calls.filter(call => call.startsWith('submit'))).toEqual(['submit 1']);
  const failed = await read(id);
  expect(failed.failureCause).toBe('engine_unavailable: what was made does not get here: other side closed');
  expect(await readBalance(caller.accountId)).toBe(balance + failed.gems);
});

test.each([undefined, 1])(
  'a request begun 20 hours ago fails after three more attempts at an unavailable server; Retry-After: %s',
  async retryAfter => {
    const id = await submit();
    engine.polls = [new EngineError('engine_unavailable', 'it keeps silent', true, { retryAfter })];
    await run(await claim(id));
    expect(await read(id)).toMatchObject({ attempts: 0 });
    await pool().query(`update requests set started_at = now() - interval '20 hours' where id = $1`, [id]);
    for (let n = 0; n < 3; n++) await run(await claim(id));
    expect(await read(id)).toMatchObject({ status: 'failed', failureCause: 'engine_unavailable: it keeps silent' });
  },
);

test.each([
  new EngineError('engine_unavailable', 'later', true, { retryAfter: 1 }),
  new EngineRefusal('GET /content', 429, {}, ''),
])('an output that a server wants to deliver later is waited for, without using up attempts (%#)', async later => {
  const id = await submit();
  const { collect } = engine;
  engine.collect = () => Promise.reject(later);
  for (let n = 0; n < 4; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({ finishedAt: null, attempts: 0, interruptions: 0 });
  engine.collect = collect;
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
});

test('a job gets a new id at each server, and also when it returns to an earlier one', async () => {
  const id = await submit();
  engine.submit = async () => {
    throw new LostAnswer('engine_unavailable', 'no answer', true);
  };
  const names = [];
  for (const server of ['scripted/1', 'scripted/2', 'scripted/1']) {
    await run(await claim(id, server));
    names.push((await read(id)).engineRef?.id);
  }
  expect(new Set(names).size).toBe(3);
  expect(await read(id)).toMatchObject({ attempts: 0, interruptions: 0 });
});

test('a service without credit is tried three times, and marked as down in between', async () => {
  const id = await submit();
  const balance = await readBalance(caller.accountId);
  engine.submit = () => Promise.reject(new EngineError('engine_unavailable', 'insufficient credit', false));
  engine.polls = [{ state: 'lost' }];
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  for (const attempts of [1, 2]) {
    await run(await claim(id));
    expect(await read(id)).toMatchObject({ finishedAt: null, attempts, notBefore: PAUSE });
    // a probe does not detect the missing credit
    const { rows } = await pool().query('update servers set ok = true from servers was returning was.ok, was.detail');
    expect(rows).toEqual([{ ok: false, detail: 'insufficient credit' }]);
  }
  await run(await claim(id));
  const failed = await read(id);
  expect(failed).toMatchObject({ status: 'failed', failureCause: 'engine_unavailable: insufficient credit' });
  expect(await readBalance(caller.accountId)).toBe(balance + failed.gems);
  // the server answers its probes between the attempts
  await pool().query('update servers set ok = true, detail = null');
  const trouble = async () => (await pool().query('select trouble, trouble_at from servers')).rows;
  expect(await trouble()).toEqual([{ trouble: 'insufficient credit', trouble_at: expect.any(Date) }]);
  expect((await renderMetrics()).text).toContain('pomona_servers{engine="scripted",state="failing"} 1\n');
  engine = scriptedEngine();
  await runGeneration(await claim(await submit()), { ...serverOf(engine), shared: true }, QUIET);
  expect(await trouble()).toEqual([{ trouble: null, trouble_at: null }]);
  await pool().query('delete from servers');
});

test('an error of a server with characters that the database refuses is still recorded', async () => {
  const id = await submit();
  engine.submit = () => Promise.reject(new EngineError('engine_unavailable', 'no\0credit \ud83d', false));
  await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
  await run(await claim(id));
  const { rows } = await pool().query('delete from servers returning ok, detail');
  expect(rows).toEqual([{ ok: false, detail: expect.stringContaining('credit') }]);
  expect(await read(id)).toMatchObject({ worker: null, attempts: 1 });
});

test.each([
  [30, 30],
  [86_400, 60],
])(
  'a server that asks for a pause of %d s is probed again after that time, at most after a minute',
  async (wanted, seconds) => {
    engine.submits = [new EngineError('engine_unavailable', 'too many requests', true, { retryAfter: wanted })];
    await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
    const { rows: before } = await pool().query<{ now: Date }>('select now()');
    await run(await claim(await submit()));
    const { rows } = await pool().query<{ ok: boolean; checked_at: Date; now: Date }>(
      'delete from servers returning ok, checked_at, now()',
    );
    const [{ ok, checked_at, now }] = rows as [(typeof rows)[0]];
    expect(ok).toBe(false);
    expect(checked_at.getTime()).toBeGreaterThanOrEqual(before[0]!.now.getTime() + seconds * 1_000);
    // one millisecond of tolerance for rounding
    expect(checked_at.getTime()).toBeLessThanOrEqual(now.getTime() + seconds * 1_000 + 1);
  },
);

test('a server that fails three jobs in a row rests until its next probe; errors of the jobs themselves do not count', async () => {
  const standing = async () => (await pool().query('select ok, detail from servers where id = $1', ['broken/1'])).rows;
  await pool().query(`insert into servers (id, engine, places, ok) values ('broken/1', 'scripted', 1, true)`);
  const failWith = async (error: EngineError) => {
    const id = await submit();
    engine = scriptedEngine();
    engine.polls = [{ state: 'failed', error }];
    await runGeneration(await claim(id, 'broken/1'), serverOf(engine, 'broken/1'), QUIET);
  };
  const broken = new EngineError('engine_error', 'CUDA error', true);
  await failWith(broken);
  await failWith(broken);
  await failWith(new EngineError('invalid_input', 'no such sampler', false));
  await failWith(new EngineError('out_of_memory', 'a picture of 8192 × 8192', false));
  expect(await standing()).toEqual([{ ok: true, detail: null }]);
  await failWith(broken);
  expect(await standing()).toEqual([{ ok: false, detail: '3 jobs in a row failed here, so it rests' }]);
  // a probe succeeded
  await pool().query('update servers set ok = true');
  await failWith(broken);
  expect(await standing()).toMatchObject([{ ok: false }]);
  await pool().query('update servers set ok = true');
  engine = scriptedEngine();
  await runGeneration(await claim(await submit(), 'broken/1'), serverOf(engine, 'broken/1'), QUIET);
  await failWith(broken);
  expect(await standing()).toMatchObject([{ ok: true }]);
  await pool().query('delete from servers');
});

test('lost claims do not count as failures of the server', async () => {
  await pool().query(`insert into servers (id, engine, places, ok) values ('sound/1', 'scripted', 1, true)`);
  for (let n = 0; n < 3; n++) {
    const lost = await claim(await submit(), 'sound/1');
    await giveBack(lost);
    await claim(lost.id, 'sound/1');
    await run(lost);
  }
  expect(engine.calls).toEqual([]);
  const { rows } = await pool().query('delete from servers returning ok, detail');
  expect(rows).toEqual([{ ok: true, detail: null }]);
});

test('cancelled requests do not count as failures of the server', async () => {
  await pool().query(`insert into servers (id, engine, places, ok) values ('sound/1', 'scripted', 1, true)`);
  for (let n = 0; n < 3; n++) {
    const [id, stop] = [await submit(), new AbortController()];
    const cancelled = async (signal: AbortSignal) => {
      await cancelGeneration(caller.accountId, id);
      stop.abort();
      return never(signal);
    };
    engine.polls = [cancelled];
    await run(await claim(id, 'sound/1'), { stop: stop.signal });
  }
  const { rows } = await pool().query('delete from servers returning ok, detail');
  expect(rows).toEqual([{ ok: true, detail: null }]);
});

test('a stopping worker leaves the job at its engine and the request to other workers', async () => {
  const id = await submit();
  const drain = new AbortController();
  engine.polls = [
    async () => {
      drain.abort();
      return { state: 'running' };
    },
  ];
  await run(await claim(id), { drain: drain.signal });
  expect(engine.calls).not.toContain('cancel');
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    worker: null,
    notBefore: null,
    interruptions: 0,
    attempts: 0,
  });
  expect((await read(id)).engineRef).not.toBeNull();
});

test('an output survives a database outage while it is recorded', async () => {
  const id = await submit();
  await cutConnections(2, `new.status = 'completed'`);
  await run(await claim(id));
  const done = await read(id);
  expect(done).toMatchObject({ status: 'completed', attempts: 0, interruptions: 0 });
  expect(engine.calls.filter(call => call === 'collect')).toHaveLength(1);
  expect(await files()).toContain(done.result?.key);
});

test('an output is removed when its request is cancelled during a database outage', async () => {
  const id = await submit();
  const before = await files();
  const stop = new AbortController();
  await cutConnections(Number.MAX_SAFE_INTEGER, `new.status = 'completed'`);
  const running = run(await claim(id), { stop: stop.signal });
  await firstCut();
  await cancelGeneration(caller.accountId, id);
  stop.abort();
  await running;
  expect(await files()).toEqual(before);
});

test('the job id from a service survives a database outage while it is recorded', async () => {
  const id = await submit();
  engine.submits = [{ id: 'theirs' }];
  await cutConnections(2, `new.engine_ref ->> 'id' = 'theirs' and new.worker is not null`);
  for (let n = 0; n < 2; n++) if ((await read(id)).finishedAt === null) await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed', engineRef: { id: 'theirs' } });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

test('a database outage uses up no attempt, and the job is resumed', async () => {
  const id = await submit();
  const outage = Object.assign(new Error('terminating connection'), { code: '57P01' });
  engine.polls = [{ state: 'running' }, outage, DONE];
  for (let n = 0; n < 2; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0, interruptions: 0 });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

/** Makes the store unavailable until `mend`; `asked` resolves after so many calls. */
function breakStore() {
  const put = refusePuts(faultOf(503, 'the store is busy'));
  const mend = () => put.mockRestore();
  onTestFinished(mend);
  return { mend, asked: (times: number) => vi.waitUntil(() => put.mock.calls.length >= times, { timeout: 30_000 }) };
}

test('an output waits for an unavailable store, without being made or collected again', async () => {
  const id = await submit();
  const store = breakStore();
  const running = run(await claim(id));
  await store.asked(3);
  store.mend();
  await running;
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0, interruptions: 0 });
  expect(engine.calls).toEqual(['submit 1', 'poll', 'collect']);
});

/** Creates a disk error as Node throws it. */
const diskError = (code: string, path?: string) => Object.assign(new Error(`${code}: the disk`), { code, path });

test.each([
  ['full', () => diskError('ENOSPC')],
  ['one that can only be read', () => diskError('EROFS', '/anywhere')],
  ["somebody else's", () => diskError('EACCES', `${temporaryFolder()}/work-XXXXXX`)],
  ['full where an answer is kept', () => new EngineError('engine_error', 'no', true, { cause: diskError('ENOSPC') })],
])(
  'a failing local disk (%s) uses up no attempt, does not count against the server and stops new claims',
  async (_, fault) => {
    const id = await submit();
    await pool().query(`insert into servers (id, engine, places, ok) values ('scripted/1', 'scripted', 1, true)`);
    const { collect } = engine;
    engine.collect = () => Promise.reject(fault());
    disk.isOut = true;
    for (let n = 0; n < 4; n++) await run(await claim(id));
    expect(await read(id)).toMatchObject({ finishedAt: null, attempts: 0, interruptions: 0, notBefore: PAUSE });
    const { rows } = await pool().query('delete from servers returning ok, detail');
    expect(rows).toEqual([{ ok: true, detail: null }]);

    expect(await hasRoom()).toBe(false);
    disk.isOut = false;
    expect(await hasRoom()).toBe(true);
    engine.collect = collect;
    await run(await claim(id));
    expect(await read(id)).toMatchObject({ status: 'completed', attempts: 0 });
    expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
  },
);

test('an output that does not fit on a disk with room for others fails the request after too many interruptions', async () => {
  const before = await readBalance(caller.accountId);
  const id = await submit();
  engine.collect = () => Promise.reject(diskError('ENOSPC'));
  for (let n = 0; n < MAX_INTERRUPTIONS; n++) await run(await claim(id));
  expect(await read(id)).toMatchObject({ finishedAt: null, attempts: 0, interruptions: MAX_INTERRUPTIONS });
  expect(await hasRoom()).toBe(true);
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'failed' });
  expect(await readBalance(caller.accountId)).toBe(before);
});

test('an unreadable file of the store counts as an attempt, not as a fault of the disk', async () => {
  const id = await submit();
  engine.collect = () => Promise.reject(diskError('EACCES', '/media/upload/a.png'));
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ attempts: 1 });
  expect(await hasRoom()).toBe(true);
});

test('a worker that stops during a store outage leaves the request to other workers', async () => {
  const id = await submit();
  const store = breakStore();
  const drain = new AbortController();
  const running = run(await claim(id), { drain: drain.signal });
  await store.asked(1);
  drain.abort();
  await running;
  expect(await read(id)).toMatchObject({ worker: null, notBefore: null, attempts: 0, interruptions: 0 });
  store.mend();
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

const killed = new DecoderKilled('ended with SIGKILL');
test.each([
  ['ours', killed],
  ['of an engine in this process', new EngineError('engine_error', 'Render thread: ended', true, { cause: killed })],
])('a decoder (%s) that is killed for its memory use uses up no attempt, and the job is resumed', async (_, end) => {
  const id = await submit();
  const { collect } = engine;
  engine.collect = async () => {
    engine.collect = collect;
    throw end;
  };
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'in_progress', attempts: 0, interruptions: 1, notBefore: PAUSE });
  await run(await claim(id));
  expect(await read(id)).toMatchObject({ status: 'completed' });
  expect(engine.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
});

test('the ledger is consistent after all of these tests', async () => {
  expect((await checkLedger()).filter(({ ok }) => !ok)).toEqual([]);
});
