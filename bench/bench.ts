import { cpus } from 'node:os';
import { fileRows } from './file-rows.ts';
import { engineFigures } from './engine-figures.ts';
import { buildIndexes } from '#lib/db/build-indexes';
import { fillHistory } from './fill-history.ts';
import { ownShareRow, webRows, workerRows } from './generation-rows.ts';
import { closeAgents, medianOf } from './measure.ts';
import { placementFigures } from './placement.ts';
import { draftOf, historyRows, holds, pollRows, ratioOf, startRow, submitRows, type Row } from './rows.ts';
import { setStage } from './stage.ts';
import { webhookRow } from './webhook-rows.ts';

// Compares Pomona with bare counterparts in interleaved rounds of one run. BENCH_SECONDS and BENCH_HISTORY shorten it.
const ROUNDS = 5;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const HISTORY = Number(process.env.BENCH_HISTORY ?? 1_000_000);

function print(rows: Row[]): void {
  for (const row of rows) {
    const bound = 'atLeast' in row.bound ? `≥ ${row.bound.atLeast}` : `≤ ${row.bound.atMost}`;
    const figures = `${format(medianOf(row.ours))} : ${format(medianOf(row.theirs))} ${row.unit}`;
    console.log(
      `${holds(row) ? 'ok   ' : 'SHORT'}  ${row.what.padEnd(34)} vs ${row.against.padEnd(36)} ${ratioOf(row).toFixed(2)} (${bound})  ${figures}`,
    );
  }
}

const format = (figure: number) => (figure >= 100 ? String(Math.round(figure)) : figure.toFixed(2));

const stage = await setStage();
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${ROUNDS} rounds of ${SECONDS} s\n`);
  const idle = await stage.startTarget('bench_idle', { WORKER: 'on' }, 'start.ts');
  print([await startRow(idle, 15)]);
  const { body, config, output } = await draftOf(idle);
  idle.child.kill('SIGTERM');
  const small = await stage.startTarget('bench_small');
  const large = await stage.startTarget('bench_large');
  for (const [target, count] of [
    [small, 1_000],
    [large, HISTORY],
  ] as const) {
    await fillHistory(target.pool, count, { body, config, output });
    await buildIndexes(undefined, { connectionString: target.databaseUrl });
    await target.pool.query('vacuum analyze');
  }
  print(await pollRows(stage, small, ROUNDS, SECONDS));
  print(await submitRows(small, ROUNDS, SECONDS));
  print(await historyRows(small, large, ROUNDS, SECONDS));
  print(await fileRows(stage, small, ROUNDS));
  print([await ownShareRow(stage, 15)]);
  print(await workerRows(stage, 3));
  print([await webhookRow(stage, ROUNDS)]);
  print(await webRows(stage, ROUNDS, SECONDS));
  console.log();
  for (const line of [...(await engineFigures()), ...placementFigures()]) console.log(line);
} finally {
  await closeAgents();
  await stage.stop();
}
