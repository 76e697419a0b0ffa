'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { moneyText } from '#components/account/price';
import { Badge, type BadgeTone } from '#components/ui/badge';
import { Panel } from '#components/ui/panel';
import { GemAmount } from '#components/ui/gem-amount';
import { ListRows } from '#components/ui/list-rows';
import { Moment } from '#components/ui/moment';
import { PagesView } from '#components/ui/pages-view';
import { Table, type Column } from '#components/ui/table';
import { TextLink } from '#components/ui/text-link';
import { paymentsQuery } from '#lib/client/account-queries';
import type { PaymentWire } from '#lib/contract/gem-schemas';
import { many } from '#lib/contract/words';

/** Payments of the account; hidden while there are none. */
export function Payments() {
  const query = useInfiniteQuery(paymentsQuery);
  if (query.data?.pages[0]?.data.length === 0) return null;
  return (
    <Panel title="Payments">
      <PagesView query={query} skeleton={<ListRows />}>
        {rows => (
          <Table
            caption="Payments"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[...PAYMENT_COLUMNS, RECEIPT]}
            narrow="ledger-row"
          />
        )}
      </PagesView>
    </Panel>
  );
}

const STATUSES = {
  open: { tone: 'info', text: 'Open' },
  succeeded: { tone: 'good', text: 'Completed' },
  failed: { tone: 'bad', text: 'Failed' },
} as const satisfies Record<PaymentWire['status'], { tone: BadgeTone; text: string }>;

const stateOf = ({ status, amount, amount_returned }: PaymentWire): { tone: BadgeTone; text: string } => {
  if (amount_returned === 0) return STATUSES[status];
  return { tone: 'warn', text: amount_returned === amount ? 'Returned' : 'Partly returned' };
};

export const PAYMENT_COLUMNS: readonly Column<PaymentWire>[] = [
  {
    key: 'when',
    head: 'When',
    className: 'max-md:row-start-2 max-md:p-0',
    cell: ({ created_at }) => <Moment at={created_at} as="minute" className="figures whitespace-nowrap text-soft" />,
  },
  {
    key: 'what',
    head: 'What',
    className: 'max-md:col-span-2 max-md:p-0',
    cell: ({ purpose }) => (purpose === 'auto_top_up' ? 'Auto top-up' : 'Top-up'),
  },
  {
    key: 'status',
    head: 'State',
    className: 'max-md:row-start-2 max-md:p-0',
    cell: payment => (
      <span className="grid justify-items-start gap-1">
        <Badge tone={stateOf(payment).tone} dot>
          {stateOf(payment).text}
        </Badge>
        {payment.error && <span className="max-w-80 text-xs text-soft">{payment.error}</span>}
      </span>
    ),
  },
  {
    key: 'gems',
    head: 'Gems',
    number: true,
    className: 'max-md:p-0',
    cell: ({ gems }) => <GemAmount gems={gems} />,
  },
  {
    key: 'paid',
    head: 'Paid',
    number: true,
    className: 'max-md:row-start-2 max-md:p-0',
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? 'on the statement' : moneyText(amount, currency),
  },
];

const RECEIPT: Column<PaymentWire> = {
  key: 'receipt',
  head: <span className="sr-only">Receipt</span>,
  className: 'md:text-right max-md:col-span-3 max-md:row-start-3 max-md:p-0 max-md:empty:hidden',
  cell: ({ id, status, gems }) =>
    status === 'succeeded' && (
      <TextLink href={`/receipt/${id}`} className="decoration-1">
        Receipt<span className="sr-only"> for {many(gems, 'gem')}</span>
      </TextLink>
    ),
};
