import type { ReactNode } from 'react';
import Link from 'next/link';
import { LogoMark } from '#components/layout/logo';
import { Button } from '#components/ui/button';

/** "Not found" message within the studio shell, with a link to the list that would contain the item. */
export function NothingHere({
  what,
  href,
  way,
  children,
}: {
  what: string;
  href: string;
  way: string;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto grid max-w-xl justify-items-start gap-5 py-12">
      <LogoMark className="size-14" />
      <h1 className="font-title text-head">Page not found</h1>
      <p className="text-lg text-soft">{what}</p>
      {children}
      <Button asChild tone="primary">
        <Link href={href}>{way}</Link>
      </Button>
    </div>
  );
}
