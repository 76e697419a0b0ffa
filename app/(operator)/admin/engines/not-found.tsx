import type { Metadata } from 'next';
import { NothingHere } from '#components/layout/nothing-here';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <NothingHere
      what="There is no engine or workflow at this address. It may have been removed."
      href="/admin/engines"
      way="See all engines"
    />
  );
}
