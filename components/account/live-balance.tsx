'use client';

import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { GemAmount } from '#components/ui/gem-amount';
import { useIdle } from '#components/ui/use-idle';
import { gemsQuery } from '#lib/client/account-queries';

/** The current balance (`initial` until the first response), as a link to the account's gems. */
export function LiveBalance({ initial }: { initial: number }) {
  const { data } = useQuery({ ...gemsQuery, enabled: useIdle() });
  return (
    <Link
      href="/account/gems"
      prefetch={false}
      className="inline-flex min-h-8 items-center rounded-md px-1 hover:text-accent-ink pointer-coarse:min-h-11"
    >
      <GemAmount gems={data?.balance ?? initial} />
    </Link>
  );
}
