import { getTableColumns } from 'drizzle-orm';
import { isTime } from '#lib/db/rows';
import { requests } from '#lib/db/schema';

type Request = typeof requests.$inferSelect;

/** Columns that a Request object is made of. The others can be long, so polls and lists do not read them. */
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

const COLUMNS = SHOWN.map(property => getTableColumns(requests)[property]);

/** The `SHOWN` columns, for `select`. */
export const shownColumns = Object.fromEntries(SHOWN.map((property, at) => [property, COLUMNS[at]])) as Pick<
  ReturnType<typeof getTableColumns<typeof requests>>,
  (typeof SHOWN)[number]
>;

const ARE_TIMES = COLUMNS.map(isTime);

/** Values of the `SHOWN` columns from the SQL function `shown_request`, without names, which would double the time. */
export type ShownValues = unknown[];

/** Converts values of `shown_request` to what a query of the table returns. */
export function fromShown(values: ShownValues): ShownRequest {
  const shown: Record<string, unknown> = {};
  for (const [at, property] of SHOWN.entries()) {
    const value = values[at];
    shown[property] = ARE_TIMES[at] && value !== null ? new Date(value as string) : value;
  }
  return shown as ShownRequest;
}
