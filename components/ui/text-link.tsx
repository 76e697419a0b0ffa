import type { ComponentProps } from 'react';
import NextLink from 'next/link';
import { cn } from '#components/ui/cn';

/** A link inside text. URLs that are not pages of the app (files, /v1, other sites) become plain anchors. */
export function TextLink({ href, className, children, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const style = cn(
    'text-ink underline decoration-accent decoration-2 underline-offset-4 transition-colors hover:text-accent-ink',
    className,
  );
  const isPage = href.startsWith('/') && !/^\/(v1|media|metrics|healthz)\b|\.\w+$/.test(href);
  return isPage ? (
    <NextLink href={href} className={style} {...rest}>
      {children}
    </NextLink>
  ) : (
    <a href={href} className={style} {...rest}>
      {children}
    </a>
  );
}
