'use client';

import { useQuery } from '@tanstack/react-query';
import { AccountBadges } from '#components/admin/account-badges';
import { DisableAccount } from '#components/admin/disable-account';
import { EmailLinkDialog } from '#components/admin/email-link-dialog';
import { GrantDialog } from '#components/admin/grant-dialog';
import { ResetLinkDialog } from '#components/admin/reset-link-dialog';
import { BackLink } from '#components/ui/back-link';
import { Panel } from '#components/ui/panel';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { besidePage, InPlace, onDemand } from '#components/ui/on-demand';
import { Loading, PageView } from '#components/ui/query-view';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { TextLink } from '#components/ui/text-link';
import { accountDetailQuery } from '#lib/client/admin-queries';
import type { AdminAccountDetailWire } from '#lib/contract/admin-schemas';

const AccountLimits = besidePage(async () => (await import('#components/admin/account-limits')).AccountLimits);
const AccountRecords = besidePage(async () => (await import('#components/admin/account-records')).AccountRecords);
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
      <AccountRecords account={account} />
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
