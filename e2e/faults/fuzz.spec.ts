import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pMap from 'p-map';
import { cases, type Case, type Known } from '../fuzz/cases.ts';
import { RAW } from '../fuzz/corpus.ts';
import { inspectable, retainedMegabytes } from '../fuzz/retained.ts';
import { judge, judgeRaw, makeAgent, type Target } from '../fuzz/target.ts';
import { openMember } from '../member.ts';
import { expect, test, type Deployment } from './deployment.ts';

// random invalid requests cause no internal error, no hang and no memory leak

/** Number of cases: `FUZZ_CASES=1000000 npm run fuzz` runs more; FUZZ_SEED repeats a run. */
const CASES = Number(process.env.FUZZ_CASES ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 16;
const BATCH = 2_000;
/** Allowed growth of memory, for compiled code and bounded caches. */
const GROWTH_MB = 32;
test.describe.configure({ timeout: 600_000 + CASES * 20 });

test('random invalid requests get a valid refusal, and memory does not grow', async ({ deploy }) => {
  const generous = {
    LIMIT_BAD_KEYS_PER_ADDRESS: '1000000',
    LIMIT_PAGES_PER_ADDRESS: '1000000',
    LIMIT_REFUSALS_PER_ADDRESS: '1000000',
    LIMIT_BODY_BYTES_PER_ADDRESS: '1000000000',
  };
  const deployment = await deploy({ WORKER: 'off', ...(await inspectable()), ...generous });
  const { target, known } = await settle(deployment);
  const agent = makeAgent(AT_ONCE);
  const flaws: string[] = [];
  const answers = new Map<number, number>();
  const run = async (batch: Case[]) =>
    pMap(
      batch,
      async one => {
        const { status, flaw } = await judge(target, agent, one).catch((error: Error) => ({
          status: 0,
          flaw: error.message,
        }));
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (flaw) flaws.push(`${JSON.stringify(one).slice(0, 1_000)}\n  ${flaw}`);
      },
      { concurrency: AT_ONCE },
    );
  const retained = () => retainedMegabytes(deployment.webPids()[0]!, deployment.starter.output);
  const sample = (seed: number, numRuns: number) => fc.sample(cases(known), { seed, numRuns });

  console.log(`FUZZ_SEED=${SEED}`);
  await run(sample(SEED - 1, BATCH));
  const warm = await retained();
  for (let done = 0; done < CASES && flaws.length < 20; done += BATCH)
    await run(sample(SEED + done, Math.min(BATCH, CASES - done)));
  for (const bytes of RAW) {
    const flaw = await judgeRaw(target, bytes);
    if (flaw) flaws.push(`${JSON.stringify(bytes.slice(0, 200))}\n  ${flaw}`);
  }
  agent.destroy();
  console.log(`answers: ${JSON.stringify(Object.fromEntries(answers))}`);
  expect(flaws.slice(0, 20), deployment.starter.output().slice(-5_000)).toEqual([]);
  expect((await fetch(`${deployment.baseURL}/v1/account`, { headers: target.who.key })).status).toBe(200);
  const after = await retained();
  console.log(`memory: ${warm} MB warm, ${after} MB after ${CASES} cases`);
  expect(after).toBeLessThanOrEqual(warm + GROWTH_MB);
  await deployment.checkLedger();
});

async function settle(deployment: Deployment): Promise<{ target: Target; known: Known }> {
  const [member, operator, victim] = [
    await openMember(deployment),
    await openMember(deployment, { operator: true }),
    await deployment.open(),
  ];
  const { request_id } = await victim.submit();
  const { architectures } = await (await victim.api.get('/v1/architectures')).json();
  const fieldsOf = (entry: { id: string; input_schema: { properties: object } }) => ({
    id: entry.id,
    fields: Object.keys(entry.input_schema.properties),
  });
  return {
    target: {
      baseURL: deployment.baseURL,
      who: {
        nobody: {},
        key: { authorization: `Bearer ${member.customer.key}` },
        member: { cookie: member.cookie },
        operator: { cookie: operator.cookie },
      },
    },
    known: {
      ids: [request_id, victim.accountId, victim.keyId, randomUUID()],
      architectures: architectures.map(fieldsOf),
    },
  };
}
