import type { Metadata } from 'next';
import { NothingHere } from '#components/layout/nothing-here';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <NothingHere
      what="There is no account at this address. It may have been deleted."
      href="/admin/accounts"
      way="See all accounts"
    />
  );
}
