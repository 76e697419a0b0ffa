import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { env } from '#lib/env';
import { timesReached } from '#lib/limits';
import { FairGate } from '#lib/media/fair-gate';

/** Creates a gate, and functions to send errands through it that stay inside until they are released. */
function open(limits: ConstructorParameters<typeof FairGate>[1] = {}) {
  const gate = new FairGate('DECODES', { most: 2, mostOfOne: 1, waiting: 6, waitingOfOne: 3, ...limits });
  const entered: string[] = [];
  const exits = new Map<string, () => void>();
  const send = (name: string, errand: Parameters<FairGate['pass']>[0] = { account: name[0]! }) =>
    gate.pass(errand, async () => {
      entered.push(name);
      await new Promise<void>(leave => exits.set(name, leave));
      return name;
    });
  const release = async (name: string, work: Promise<string>) => {
    exits.get(name)!();
    await work;
    await nextTick();
  };
  return { send, entered, release };
}

test('an account uses only its share of the places and leaves the rest to others', async () => {
  const { send, entered, release } = open();
  const works = new Map(['a1', 'a2', 'a3', 'b1'].map(name => [name, send(name)]));
  expect(entered).toEqual(['a1', 'b1']);
  expect(timesReached('LIMIT_DECODES_PER_ACCOUNT')).toBe(2);
  await release('b1', works.get('b1')!);
  expect(entered).toEqual(['a1', 'b1']);
  await release('a1', works.get('a1')!);
  expect(entered).toEqual(['a1', 'b1', 'a2']);
});

test('accounts take turns, however many tasks one of them has', async () => {
  const { send, entered, release } = open({ most: 1 });
  const works = new Map(['a1', 'a2', 'a3', 'b1', 'c1'].map(name => [name, send(name)]));
  for (let turn = 0; turn < 5; turn++) await release(entered[turn]!, works.get(entered[turn]!)!);
  expect(entered).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('a full queue refuses tasks with a retry time, and the limit per account applies first', async () => {
  const { send, entered } = open();
  const refused = (promise: Promise<unknown>) =>
    expect(promise).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 });
  const met = () =>
    (['LIMIT_DECODES', 'LIMIT_DECODES_PER_ACCOUNT', 'LIMIT_WAITING', 'LIMIT_WAITING_PER_ACCOUNT'] as const).map(
      timesReached,
    );
  const before = met();
  for (const name of ['a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'b3', 'b4']) void send(name);
  expect(entered).toEqual(['a1', 'b1']);
  await refused(send('a5'));
  await refused(send('c1'));
  expect(met().map((times, at) => times - before[at]!)).toEqual([6, 0, 1, 1]);
});

test('waiting for a place that no setting adds to does not count as reaching a limit', async () => {
  const { send, entered, release } = open({ most: 1, isCounted: false });
  const before = timesReached('LIMIT_DECODES');
  const [first, second] = [send('own', {}), send('next', {})];
  await release('own', first);
  expect(entered).toEqual(['own', 'next']);
  await release('next', second);
  expect(timesReached('LIMIT_DECODES')).toBe(before);
});

test('a patient task may wait beyond the queue limit of its account, and internal work has no account limit', async () => {
  const { send, entered } = open({ waitingOfOne: 0 });
  for (const name of ['a1', 'a2']) void send(name, { account: 'a', patient: true });
  void send('own', {});
  expect(entered).toEqual(['a1', 'own']);
});

test('an aborted task leaves the queue, and a failing task lets the next one in', async () => {
  const { send, entered, release } = open({ most: 1 });
  const leave = new AbortController();
  const first = send('a1');
  const gone = send('b1', { account: 'b', signal: leave.signal });
  void send('c1');
  leave.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await expect(send('d1', { account: 'd', signal: leave.signal })).rejects.toThrow('gone');
  await release('a1', first);
  expect(entered).toEqual(['a1', 'c1']);
  const gate = new FairGate('DECODES', { most: 1, mostOfOne: 1, waiting: 1, waitingOfOne: 1 });
  const failing = gate.pass({}, () => Promise.reject(new Error('broken')));
  const next = gate.pass({}, async () => 'in');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('in');
});

test.each(['DECODES', 'FETCHES'] as const)('the limits come from the settings: %s', async act => {
  Object.assign(env(), { [`LIMIT_${act}`]: 2, [`LIMIT_${act}_PER_ACCOUNT`]: 1, LIMIT_WAITING_PER_ACCOUNT: 1 });
  const gate = new FairGate(act);
  const entered: string[] = [];
  const send = (account: string) => gate.pass({ account }, () => new Promise(() => entered.push(account)));
  for (const account of ['a', 'b', 'a', 'c']) void send(account);
  expect(entered).toEqual(['a', 'b']);
  await expect(send('a')).rejects.toMatchObject({ code: 'too_many_requests' });
});
