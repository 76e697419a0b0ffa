'use client';

import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useIdle } from '#components/ui/use-idle';
import { noticesQuery } from '#lib/client/account-queries';

/** Link to the notices, shown only while there are unseen ones. */
export function NoticeBell() {
  const { data } = useQuery({ ...noticesQuery, enabled: useIdle() });
  const news = data?.data.filter(({ seen }) => !seen).length ?? 0;
  if (news === 0) return null;
  return (
    <Link
      href="/account/notices"
      className="relative grid size-10 place-items-center rounded-md text-soft transition-colors hover:bg-ink/7 hover:text-ink pointer-coarse:size-11"
    >
      <Bell className="size-5" aria-hidden />
      <span className="sr-only">
        {news} new {news === 1 ? 'notice' : 'notices'}
      </span>
      <span className="absolute top-2 right-2 size-2 rounded-full bg-accent ring-2 ring-paper" aria-hidden />
    </Link>
  );
}
