import { and, desc, eq } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { auditLog } from '#lib/db/schema';
import { newId } from '#lib/ids';

export type AuditEntry = typeof auditLog.$inferSelect;

/** Who does something: an operator, or the holder of an account to it. */
export interface Actor {
  /** Null for the command line, which whoever has the machine may use. */
  id: string | null;
  name: string;
}

export const COMMAND_LINE: Actor = { id: null, name: 'command line' };

export const actorOf = ({ accountId, email }: { accountId: string; email: string }): Actor => ({
  id: accountId,
  name: email,
});

export interface Act {
  /** Such as `account.change`, `gems.grant`, `architecture.state`. */
  act: string;
  /** What it was done to: an e-mail address, an architecture, a request. */
  subject: string;
  accountId?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Writes down what an operator does, or a holder to the ways into the account, in the transaction that does it. Never given a secret. */
export async function recordAct({ id, name }: Actor, act: Act, tx: Tx = db()): Promise<void> {
  await tx.insert(auditLog).values({ id: newId(), actorId: id, actor: name, ...act });
}

/** What was done, newest first; to one account, when asked. */
export async function listAudit({
  limit = 50,
  cursor,
  accountId,
}: {
  limit?: number;
  cursor?: string | undefined;
  accountId?: string | undefined;
} = {}): Promise<Page<AuditEntry>> {
  const rows = await db()
    .select()
    .from(auditLog)
    .where(and(olderThan(auditLog.id, cursor), accountId === undefined ? undefined : eq(auditLog.accountId, accountId)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  return toPage(rows, limit, row => row.id);
}
