import type { Metadata } from 'next';
import Link from 'next/link';
import { LogoMark } from '#components/layout/logo';
import { Button } from '#components/ui/button';

export const metadata: Metadata = { title: 'Not found' };

/** Something of the studio that is not there; its frame leads on. */
export default function NotFound() {
  return (
    <div className="mx-auto grid max-w-xl justify-items-start gap-5 py-12">
      <LogoMark className="size-14" />
      <h1 className="font-title text-head">Nothing grows here.</h1>
      <p className="text-lg text-soft">There is nothing of yours at this address. It may have been deleted.</p>
      <Button asChild tone="primary">
        <Link href="/history">Look in the history</Link>
      </Button>
    </div>
  );
}
