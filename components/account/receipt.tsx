import type { ReactNode } from 'react';
import { moneyText } from '#components/account/price';
import { PrintButton } from '#components/account/print-button';
import { Logo } from '#components/layout/logo';
import { GemAmount } from '#components/ui/gem-amount';
import { TextLink } from '#components/ui/text-link';
import type { PaymentWire } from '#lib/contract/gem-schemas';

/** Classes of a row: with large text on a phone, gems and money wrap below the purpose. */
const ROW = 'max-[18rem]:flex max-[18rem]:flex-wrap max-[18rem]:gap-x-6';

/** Classes of a cell with gems or money. */
const NUMBER = 'figures py-3 pl-4 text-right max-[18rem]:pl-0';

// in UTC, so that the printed date does not depend on the reader
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Receipt on one page. `place` is the deployment where the gems are spent. */
export function Receipt({
  payment,
  buyer,
  seller,
  place,
}: {
  payment: PaymentWire;
  buyer: { name: string | null; email: string };
  seller: string | null;
  place: string;
}) {
  const { id, gems, purpose, amount, currency, amount_returned, gems_returned, created_at } = payment;
  const money = (of: number) => (currency === null ? 'on the statement' : moneyText(of, currency));
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto grid max-w-2xl grid-cols-1 gap-10 px-6 py-10 outline-none max-[18rem]:px-4 print:p-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-4 print:hidden">
        <TextLink href="/account/gems" className="finger-line text-sm text-soft decoration-1">
          Back to gems
        </TextLink>
        <PrintButton />
      </div>
      <header className="flex flex-wrap items-start justify-between gap-6 border-b pb-8">
        <div className="grid gap-2">
          <h1 className="font-title text-head">Receipt</h1>
          <p className="figures text-sm text-soft">
            <time dateTime={created_at}>{DAY.format(new Date(created_at))}</time>
          </p>
        </div>
        <Logo />
      </header>
      <div className="grid gap-8 sm:grid-cols-2">
        <Fact name="From">{seller ?? `Pomona at ${place}`}</Fact>
        <Fact name="To">
          {buyer.name && <span className="block">{buyer.name}</span>}
          <span className="block break-all">{buyer.email}</span>
        </Fact>
        <Fact name="Number" wide>
          <code className="font-mono text-[0.8125rem] break-all">{id}</code>
        </Fact>
      </div>
      <table className="w-full text-sm">
        <caption className="sr-only">What was paid</caption>
        <thead className="text-left text-xs text-faint max-[18rem]:sr-only">
          <tr className="border-b">
            <th className="pb-2 font-normal">What</th>
            <th className="pb-2 pl-4 text-right font-normal">Gems</th>
            <th className="pb-2 pl-4 text-right font-normal">Amount</th>
          </tr>
        </thead>
        <tbody>
          <Line
            what={purpose === 'auto_top_up' ? 'Gems, automatic top-up' : 'Gems'}
            gems={gems}
            money={money(amount ?? 0)}
          />
          {amount_returned > 0 && <Line what="Returned" gems={-gems_returned} money={`−${money(amount_returned)}`} />}
        </tbody>
        {amount !== null && (
          <tfoot>
            <tr className={`border-t font-medium ${ROW}`}>
              <th scope="row" className="py-3 text-left font-medium max-[18rem]:w-full max-[18rem]:pb-0">
                Paid
              </th>
              <td className={NUMBER}>
                <GemAmount gems={gems - gems_returned} />
              </td>
              <td className={NUMBER}>{money(amount - amount_returned)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      <p className="text-sm text-soft">
        {amount === null
          ? `Put on the statement of this account at ${place}; the operator settles it.`
          : `Gems can be spent at ${place}.`}
      </p>
    </main>
  );
}

const Fact = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <section className={wide ? 'sm:col-span-2' : ''}>
    <h2 className="text-xs text-faint">{name}</h2>
    <p className="mt-1 text-sm whitespace-pre-line">{children}</p>
  </section>
);

const Line = ({ what, gems, money }: { what: string; gems: number; money: string }) => (
  <tr className={ROW}>
    <td className="py-3 max-[18rem]:w-full max-[18rem]:pb-0">{what}</td>
    <td className={NUMBER}>
      <GemAmount gems={gems} />
    </td>
    <td className={NUMBER}>{money}</td>
  </tr>
);
