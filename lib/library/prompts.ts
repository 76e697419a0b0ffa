import { listGenerations } from '#lib/generations/list';

const LOOKED_AT = 200;
const MOST = 50;

/** The last prompts of the account that have these words, each once, newest first; those of recipes nobody wrote. */
export async function findPrompts(accountId: string, q: string | undefined): Promise<string[]> {
  const { data } = await listGenerations(accountId, { limit: LOOKED_AT, removed: false, q });
  return [...new Set(data.filter(({ runId }) => runId === null).map(({ prompt }) => prompt))].slice(0, MOST);
}
