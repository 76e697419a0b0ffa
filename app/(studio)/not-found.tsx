import type { Metadata } from 'next';
import { NothingHere } from '#components/layout/nothing-here';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <NothingHere
      what="There is nothing of yours at this address. It may have been deleted."
      href="/history"
      way="See your history"
    />
  );
}
