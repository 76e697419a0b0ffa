import { and, desc, eq } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { auditLog } from '#lib/db/schema';
import { newId } from '#lib/ids';

export type AuditEntry = typeof auditLog.$inferSelect;

/** Who performs an act: an operator, or the holder of the account. */
export interface Actor {
  /** Account of the actor; null for the command line, which anyone with access to the machine may use. */
  id: string | null;
  name: string;
}

export const COMMAND_LINE: Actor = { id: null, name: 'command line' };

export const actorOf = ({ accountId, email }: { accountId: string; email: string }): Actor => ({
  id: accountId,
  name: email,
});

export interface Act {
  /** Kind of act, such as `account.change`, `gems.grant` or `architecture.state`. */
  act: string;
  /** Object of the act, such as an e-mail address, an architecture or a request. */
  subject: string;
  accountId?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Records an act of an operator, or of a holder on the access to their account, with the act. Never pass a secret. */
export async function recordAct({ id, name }: Actor, act: Act, tx: Tx = db()): Promise<void> {
  await tx.insert(auditLog).values({ id: newId(), actorId: id, actor: name, ...act });
}

/** Lists recorded acts, newest first, optionally those on one account. */
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
