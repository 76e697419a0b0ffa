import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { recordAct, type Actor } from '#lib/accounts/audit';
import { beginning } from '#lib/beginning';
import { toRenditions } from '#lib/generations/to-wire';
import type { AdminRequestWire } from '#lib/contract/admin-schemas';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { ofAccount } from '#lib/db/of-account';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { accounts, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getCancelled } from '#lib/generations/cancel';
import { hasResult } from '#lib/generations/has-result';
import { finish } from '#lib/life/finish';
import type { Generation } from '#lib/life/generation';
import { liveIn } from '#lib/status';
import { isUuid } from '#lib/ids';

const isLive = sql.raw(liveIn());

/** Views for operators. Stuck: in progress without an update for five minutes, or queued for ten. */
const VIEWS: Record<'live' | 'stuck' | 'failed' | 'all', SQL | undefined> = {
  live: isLive,
  stuck: and(
    isLive,
    sql`${requests.updatedAt} < now() - case ${requests.status} when 'queued' then interval '10 minutes' else interval '5 minutes' end`,
  ),
  failed: eq(requests.status, 'failed'),
  all: undefined,
};

type RequestView = keyof typeof VIEWS;

/** Lists requests of all accounts, newest first. */
export async function findRequests({
  view,
  accountId,
  limit,
  cursor,
}: {
  view: RequestView;
  accountId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}): Promise<Page<AdminRequestWire>> {
  const rows = await withOwner()
    .where(
      and(
        VIEWS[view],
        accountId === undefined ? undefined : ofAccount(requests.accountId, accountId),
        olderThan(requests.id, cursor),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(limit + 1);
  const { data, nextCursor } = toPage(rows, limit, row => row.request.id);
  return { data: data.map(toWire), nextCursor };
}

/** Cancels a live request of any account, and records that in the audit log in the same transaction. */
export async function stopRequest(actor: Actor, id: string): Promise<AdminRequestWire> {
  const { request, email } = await getWithOwner(id);
  const { accountId } = request;
  const stopped = await transactionOf(accountId, async tx => {
    const [stopped] = await finish(eq(requests.id, request.id), { status: 'cancelled' }, tx);
    if (!stopped) return null;
    const facts = { before: { account: email, status: request.status }, after: { status: stopped.status } };
    await recordAct(actor, { act: 'request.cancel', subject: id, accountId, ...facts }, tx);
    return stopped;
  });
  return toWire({ request: stopped ?? (await getCancelled(accountId, id)), email });
}

const withOwner = () =>
  db()
    .select({ request: requests, email: accounts.email })
    .from(requests)
    .innerJoin(accounts, eq(accounts.id, requests.accountId));

async function getWithOwner(id: string): Promise<{ request: Generation; email: string }> {
  const [row] = isUuid(id) ? await withOwner().where(eq(requests.id, id)) : [];
  if (!row) throw new AppError('request_not_found', 'There is no such request.');
  return row;
}

const toWire = ({ request, email }: { request: Generation; email: string }): AdminRequestWire => ({
  request_id: request.id,
  account: { id: request.accountId, email },
  status: request.status,
  architecture: request.architecture,
  model_id: request.modelId,
  type: request.type,
  engine: request.engine,
  prompt: beginning(request.prompt, 300),
  gems: request.gems,
  attempt: request.attempts + 1,
  progress: request.progress,
  created_at: request.createdAt.toISOString(),
  updated_at: request.updatedAt.toISOString(),
  started_at: request.startedAt?.toISOString() ?? null,
  finished_at: request.finishedAt?.toISOString() ?? null,
  preview_url: previewOf(request),
  error: request.errorMessage,
  failure_cause: request.failureCause,
});

const previewOf = (request: Generation): string | null =>
  (hasResult(request) && toRenditions(request.result).preview_url) || null;
