'use client';

import { useQuery } from '@tanstack/react-query';
import { AccountBadges } from '#components/admin/account-badges';
import { AuditList } from '#components/admin/audit-log';
import { DisableAccount } from '#components/admin/disable-account';
import { EmailLinkDialog } from '#components/admin/email-link-dialog';
import { GrantDialog } from '#components/admin/grant-dialog';
import { ResetLinkDialog } from '#components/admin/reset-link-dialog';
import { LEDGER_COLUMNS } from '#components/account/ledger';
import { PAYMENT_COLUMNS } from '#components/account/payments';
import { isOver } from '#components/generations/words';
import { BackLink } from '#components/ui/back-link';
import { Badge } from '#components/ui/badge';
import { Panel } from '#components/ui/panel';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { besidePage, InPlace, onDemand } from '#components/ui/on-demand';
import { Loading, PageView } from '#components/ui/query-view';
import { Table, type Column } from '#components/ui/table';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { TextLink } from '#components/ui/text-link';
import { accountDetailQuery } from '#lib/client/admin-queries';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';
import type { AdminAccountDetailWire } from '#lib/contract/admin-schemas';
import type { LedgerEntryWire } from '#lib/contract/schemas';

const AccountLimits = besidePage(async () => (await import('#components/admin/account-limits')).AccountLimits);
const DropSecondStep = onDemand(async () => (await import('#components/admin/drop-second-step')).DropSecondStep);

export function AccountDetail({ id }: { id: string }) {
  const query = useQuery(accountDetailQuery(id));
  return (
    <div className="grid grid-cols-1 gap-8">
      <BackLink href="/admin/accounts">All accounts</BackLink>
      <PageView query={query}>
        {account => (
          <InPlace fallback={<Loading />}>
            <Detail account={account} />
          </InPlace>
        )}
      </PageView>
    </div>
  );
}

function Detail({ account }: { account: AdminAccountDetailWire }) {
  const kept = useKeptFocus();
  return (
    <div className="grid grid-cols-1 gap-12">
      <Head account={account} />
      <Panel title="Permissions and limits">
        {/* remounted when the account was changed elsewhere */}
        <div {...kept}>
          <AccountLimits
            key={JSON.stringify([
              account.operator,
              account.may_generate,
              account.may_create_cast,
              account.in_flight_limit,
              account.top_up_limit,
            ])}
            account={account}
          />
        </div>
      </Panel>
      <Panel title="Access">
        <p className="text-sm text-soft">
          {account.sign_ins.length > 0
            ? `Signs in with ${account.sign_ins.map(({ provider }) => provider).join(', ')}${account.second_step ? ', and a second step after the password' : ''}.`
            : 'Has no way to sign in yet. Send a reset link to set a password.'}
        </p>
        <div className="flex flex-wrap gap-3">
          <ResetLinkDialog account={account} />
          <EmailLinkDialog account={account} />
          {account.second_step && (
            <InPlace>
              <DropSecondStep account={account} />
            </InPlace>
          )}
          <DisableAccount account={account} />
        </div>
      </Panel>
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
    </div>
  );
}

function Head({ account }: { account: AdminAccountDetailWire }) {
  const { requests, auto_top_up } = account;
  return (
    <section aria-label="Overview" className="flex flex-wrap items-end justify-between gap-6">
      <div className="grid gap-2">
        <h2 className="font-title text-head text-wrap wrap-anywhere">{account.email}</h2>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
          {account.name && <span>{account.name}</span>}
          <span>
            since <Moment at={account.created_at} as="day" />
          </span>
          <AccountBadges account={account} />
        </p>
        <p className="text-sm text-soft">
          <TextLink href={`/admin/requests?account=${account.id}`} className="decoration-1">
            Requests
          </TextLink>
          : {requests.live} live, {requests.completed} completed, {requests.failed} failed, {requests.cancelled}{' '}
          cancelled
          {auto_top_up &&
            `. Auto top-up of ${auto_top_up.gems.toLocaleString('en')} below ${auto_top_up.threshold.toLocaleString('en')}`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-5">
        <p className="font-title text-head">
          <GemAmount gems={account.balance} className="wrap-anywhere whitespace-normal" />
        </p>
        <GrantDialog account={account} />
      </div>
    </section>
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
