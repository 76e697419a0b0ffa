import { AuditLog } from '#components/admin/audit-log';

export const metadata = { title: 'Audit log' };

export default function AuditLogPage() {
  return <AuditLog />;
}
