import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { toWire } from '#lib/generations/to-wire';
import { isFinal } from '#lib/status';
import { announce } from '#lib/webhooks/announce';

/** Announces the end of a request to webhooks, with the Request object. Does nothing if its account is deleted. */
export async function announceEnd(requestId: string): Promise<void> {
  const [ended] = await db().select().from(requests).where(eq(requests.id, requestId));
  if (!ended || !isFinal(ended.status)) return;
  const { accountId, status, webhook: address, finishedAt, updatedAt } = ended;
  await announce({
    accountId,
    event: `request.${status}`,
    sourceId: requestId,
    at: finishedAt ?? updatedAt,
    data: toWire(ended),
    address,
  });
}
