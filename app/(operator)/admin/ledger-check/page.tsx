import { LedgerCheck } from '#components/admin/ledger-check';

export const metadata = { title: 'Ledger check' };

export default function LedgerCheckPage() {
  return <LedgerCheck />;
}
