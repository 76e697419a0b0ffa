'use client';

import { useState } from 'react';
import { useSearchParams } from 'next/navigation';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AccountBadges } from '#components/admin/account-badges';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/pages-view';
import { Loading } from '#components/ui/query-view';
import { SearchInput } from '#components/ui/search-input';
import { Table, type Column } from '#components/ui/table';
import { TextLink } from '#components/ui/text-link';
import { useIsListening } from '#components/ui/use-is-listening';
import { useSettled } from '#components/ui/use-settled';
import { replaceAddress } from '#components/viewer/use-view-address';
import { accountsQuery } from '#lib/client/admin-queries';
import { hasWords } from '#lib/client/has-words';
import type { AdminAccountWire } from '#lib/contract/admin-schemas';

/** All accounts, or those found by the words in the address. */
export function Accounts() {
  const [words, setWords] = useState(useSearchParams().get('q') ?? '');
  const q = useSettled(words.trim());
  const query = useInfiniteQuery(accountsQuery(q));
  // until then the results belong to the previous search
  const isCurrent = q === words.trim() && !query.isPlaceholderData;
  return (
    <div className="grid grid-cols-1 gap-6">
      <SearchInput
        aria-label="Search accounts"
        inert={!useIsListening()}
        placeholder="E-mail or name"
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
          replaceAddress({ q: target.value.trim() });
        }}
        className="max-w-md"
      />
      <PagesView query={query} skeleton={<ListRows />}>
        {rows => (
          <Table
            caption="Accounts"
            rows={isCurrent ? rows : rows.filter(({ email, name }) => hasWords(`${email} ${name ?? ''}`, words.trim()))}
            rowKey={({ id }) => id}
            columns={COLUMNS}
            narrow="two-lines"
            empty={
              isCurrent ? (
                <EmptyState title="No account found">
                  No e-mail address or name contains “{q}”. Search for a part of either, or invite them.
                </EmptyState>
              ) : (
                <Loading>
                  <ListRows />
                </Loading>
              )
            }
          />
        )}
      </PagesView>
    </div>
  );
}

const COLUMNS: readonly Column<AdminAccountWire>[] = [
  {
    key: 'account',
    head: 'Account',
    className: 'wrap-anywhere max-md:p-0 md:min-w-44',
    cell: account => (
      <span className="grid justify-items-start gap-1">
        <TextLink href={`/admin/accounts/${account.id}`} className="finger-line font-medium decoration-1">
          {account.email}
        </TextLink>
        {account.name && <span className="text-soft">{account.name}</span>}
      </span>
    ),
  },
  {
    key: 'state',
    head: 'State',
    className: 'max-md:row-start-2 max-md:p-0',
    cell: account => <AccountBadges account={account} />,
  },
  {
    key: 'live',
    head: 'Live',
    number: true,
    className: 'max-md:hidden',
    cell: ({ live_requests, in_flight_limit }) => `${live_requests} / ${in_flight_limit}`,
  },
  {
    key: 'since',
    head: 'Since',
    className: 'max-md:hidden',
    cell: ({ created_at }) => <Moment at={created_at} as="day" className="whitespace-nowrap text-soft" />,
  },
  {
    key: 'balance',
    head: 'Balance',
    number: true,
    className: 'max-md:col-start-2 max-md:row-start-1 max-md:p-0',
    cell: ({ balance }) => <GemAmount gems={balance} />,
  },
];
