import { Badge } from '#components/ui/badge';
import type { AdminAccountWire } from '#lib/contract/admin-schemas';

/** Badges for the role and the restrictions of an account. */
export function AccountBadges({ account }: { account: AdminAccountWire }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {account.operator && <Badge tone="info">Operator</Badge>}
      {account.disabled_at && <Badge tone="bad">Disabled</Badge>}
      {!account.may_generate && <Badge tone="warn">No generation</Badge>}
      {!account.may_create_cast && <Badge tone="warn">No characters</Badge>}
      {!account.operator && !account.disabled_at && account.may_generate && account.may_create_cast && (
        <Badge tone="good" dot>
          Active
        </Badge>
      )}
    </span>
  );
}
