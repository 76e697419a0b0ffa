'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { withNext } from '#components/auth/next-path';
import { Button } from '#components/ui/button';

/** Link to the sign-in page, which leads back to this page. */
export const SignInLink = () => (
  <Button asChild tone="ghost">
    <Link href={withNext('/sign-in', usePathname())} prefetch={false}>
      Sign in
    </Link>
  </Button>
);
