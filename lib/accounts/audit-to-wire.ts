import type { AuditEntry } from '#lib/accounts/audit';
import type { AuditEntryWire } from '#lib/contract/admin-schemas';

export const auditToWire = (entry: AuditEntry): AuditEntryWire => ({
  id: entry.id,
  actor: entry.actor,
  act: entry.act,
  subject: entry.subject,
  account_id: entry.accountId,
  before: entry.before,
  after: entry.after,
  created_at: entry.createdAt.toISOString(),
});
