import type { Metadata } from 'next';
import { NothingHere } from '#components/layout/nothing-here';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return <NothingHere what="There is no recipe at this address." href="/recipes" way="See all recipes" />;
}
