import { cpus } from 'node:os';
import { fileRows } from './file-rows.ts';
import { engineFigures } from './engine-figures.ts';
import { closeAgents, medianOf } from './measure.ts';
import { historyRows, holds, pollRows, ratioOf, seedHistory, startRow, submitRows, type Row } from './rows.ts';
import { setStage } from './stage.ts';

// Ratios of Pomona against bare counterparts, in interleaved rounds of one run. BENCH_SECONDS and BENCH_HISTORY shorten it.
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
  const small = await stage.startTarget('bench_small');
  const large = await stage.startTarget('bench_large');
  await Promise.all([seedHistory(small, 1_000), seedHistory(large, HISTORY)]);
  const idle = await stage.startTarget('bench_idle', { WORKER: 'on' }, 'start.ts');
  print([await startRow(idle, 15)]);
  idle.child.kill('SIGTERM');
  print(await pollRows(stage, small, ROUNDS, SECONDS));
  print(await submitRows(small, ROUNDS, SECONDS));
  print(await historyRows(small, large, ROUNDS, SECONDS));
  print(await fileRows(stage, small, ROUNDS));
  console.log('not measured: two worker processes against one, which needs a remote engine to wait for\n');
  for (const line of await engineFigures()) console.log(line);
} finally {
  await closeAgents();
  await stage.stop();
}
