import { getTableColumns } from 'drizzle-orm';
import { isTime } from '#lib/db/rows';
import { requests } from '#lib/db/schema';

type Request = typeof requests.$inferSelect;

/** What a Request object is made of. What else a row has can be long, and no poll and no list is to carry it. */
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

/** Those columns, to be selected. */
export const shownColumns = Object.fromEntries(SHOWN.map((property, at) => [property, COLUMNS[at]])) as Pick<
  ReturnType<typeof getTableColumns<typeof requests>>,
  (typeof SHOWN)[number]
>;

const ARE_TIMES = COLUMNS.map(isTime);

/** The values of those columns, in their order, as the database's `shown_request` has them: to name each takes as long as the value. */
export type ShownValues = unknown[];

/** Them as the table's own queries give them. */
export function fromShown(values: ShownValues): ShownRequest {
  const shown: Record<string, unknown> = {};
  for (const [at, property] of SHOWN.entries()) {
    const value = values[at];
    shown[property] = ARE_TIMES[at] && value !== null ? new Date(value as string) : value;
  }
  return shown as ShownRequest;
}
