import type { ReactNode } from 'react';
import Link from 'next/link';
import { ArrowLeft } from 'lucide-react';

/** Link above a page to its parent page. */
export const BackLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    className="inline-flex items-center gap-2 justify-self-start text-sm text-soft transition-colors hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:min-h-11"
  >
    <ArrowLeft className="size-4" aria-hidden />
    {children}
  </Link>
);
