import { getTableColumns } from 'drizzle-orm';
import { requests } from '#lib/db/schema';

type Request = typeof requests.$inferSelect;

/** What a Request object is made of. What else a row has can be long, and no poll is to carry it. */
const SHOWN = [
  'id',
  'accountId',
  'status',
  'architecture',
  'modelId',
  'type',
  'engine',
  'prompt',
  'seed',
  'output',
  'gems',
  'refunded',
  'line',
  'turnAt',
  'fetched',
  'progress',
  'result',
  'errorMessage',
  'runId',
  'runPart',
  'favourite',
  'kept',
  'removedAt',
  'createdAt',
  'updatedAt',
  'startedAt',
  'finishedAt',
] as const satisfies (keyof Request)[];

export type ShownRequest = Pick<Request, (typeof SHOWN)[number]>;

const COLUMNS = SHOWN.map(property => getTableColumns(requests)[property].name);

/** Those columns of `row`, an expression for a whole row, as `fromRow` takes them; null where there is no row. */
export const shownOf = (row: string): string =>
  `case when (${row}).id is not null then json_build_object(${COLUMNS.map(name => `'${name}', (${row}).${name}`).join(', ')}) end`;
