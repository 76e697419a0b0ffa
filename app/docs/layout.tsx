import type { ReactNode } from 'react';
import Link from 'next/link';
import { DocsNav } from '#components/docs/docs-nav';
import { SignInLink } from '#components/docs/sign-in-link';
import { SiteHeader } from '#components/layout/site-header';
import { Button } from '#components/ui/button';
import { findPageAccount } from '#lib/auth/page-account';
import { docsPages } from '#lib/docs/pages';

export const metadata = { title: { default: 'API', template: '%s · Pomona API' } };

export const dynamic = 'force-dynamic';

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const account = await findPageAccount();
  return (
    <>
      <SiteHeader>
        {account ? (
          <Button asChild tone="ghost">
            <Link href="/create" prefetch={false}>
              Studio
            </Link>
          </Button>
        ) : (
          <SignInLink />
        )}
      </SiteHeader>
      <div className="gutter mx-auto grid max-w-[88rem] grid-cols-1 gap-x-12 gap-y-8 pb-24 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <DocsNav pages={docsPages()} />
        <main id="content" tabIndex={-1} className="min-w-0 outline-none lg:pt-2">
          {children}
        </main>
      </div>
    </>
  );
}
