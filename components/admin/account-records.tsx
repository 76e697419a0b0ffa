import { AuditList } from '#components/admin/audit-log';
import { LEDGER_COLUMNS } from '#components/account/ledger';
import { PAYMENT_COLUMNS } from '#components/account/payments';
import { isOver } from '#components/generations/words';
import { Badge } from '#components/ui/badge';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { Panel } from '#components/ui/panel';
import { Table, type Column } from '#components/ui/table';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';
import type { AdminAccountDetailWire } from '#lib/contract/admin-schemas';
import type { LedgerEntryWire } from '#lib/contract/schemas';

/** The keys, gems, payments and history of an account. */
export function AccountRecords({ account }: { account: AdminAccountDetailWire }) {
  return (
    <>
      <Panel title="API keys">
        <Table
          caption="API keys"
          rows={account.keys}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No keys">This account has none.</EmptyState>}
          columns={KEY_COLUMNS}
          narrow="two-lines"
        />
      </Panel>
      <Panel title="Ledger" aside={<p className="text-sm text-faint">The latest entries</p>}>
        <Table
          caption="Ledger"
          rows={account.ledger}
          rowKey={({ id }) => String(id)}
          columns={OPERATOR_LEDGER}
          narrow="ledger-row"
          empty={<EmptyState title="No entries yet">Grant gems to begin.</EmptyState>}
        />
      </Panel>
      {account.payments.length > 0 && (
        <Panel title="Payments">
          <Table
            caption="Payments"
            rows={account.payments}
            rowKey={({ id }) => id}
            columns={PAYMENT_COLUMNS}
            narrow="ledger-row"
          />
        </Panel>
      )}
      <Panel title="Operator actions">
        <AuditList accountId={account.id} />
      </Panel>
    </>
  );
}

/** The ledger of another account, whose requests have no page that the operator could open. */
const OPERATOR_LEDGER = LEDGER_COLUMNS.map(column =>
  column.key === 'what'
    ? {
        ...column,
        cell: (entry: LedgerEntryWire) =>
          entry.request_id === null ? (
            column.cell(entry)
          ) : (
            <code className="font-mono text-xs wrap-anywhere select-all">{entry.request_id}</code>
          ),
      }
    : column,
);

const KEY_COLUMNS: readonly Column<ApiKeyWire>[] = [
  {
    key: 'name',
    head: 'Name',
    className: 'wrap-anywhere max-md:p-0 md:min-w-28',
    cell: ({ name, last_four }) => (
      <>
        {name} <code className="font-mono text-xs whitespace-nowrap text-faint">…{last_four}</code>
      </>
    ),
  },
  {
    key: 'used',
    head: 'Last used',
    className:
      'whitespace-nowrap max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end max-md:p-0 max-md:text-faint',
    cell: ({ last_used_at }) => (
      <>
        <span aria-hidden className="md:hidden">
          last used{' '}
        </span>
        {last_used_at ? <Moment at={last_used_at} /> : 'never'}
      </>
    ),
  },
  {
    key: 'state',
    head: 'State',
    className: 'max-md:col-start-1 max-md:row-start-2 max-md:p-0',
    cell: key =>
      key.revoked_at ? (
        <Badge>Revoked</Badge>
      ) : key.expires_at && isOver(key.expires_at) ? (
        <Badge tone="warn">Expired</Badge>
      ) : (
        <Badge tone="good">Valid</Badge>
      ),
  },
  {
    key: 'spent',
    head: 'This month',
    number: true,
    className: 'max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end max-md:p-0',
    cell: ({ spent_this_month, monthly_budget }) => (
      <>
        <GemAmount gems={spent_this_month} />
        {monthly_budget !== null && ` of ${monthly_budget.toLocaleString('en')}`}
        <span aria-hidden className="text-faint md:hidden">
          {' '}
          this month
        </span>
      </>
    ),
  },
];
