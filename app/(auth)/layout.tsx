import type { ReactNode } from 'react';
import { Orchard } from '#components/architectures/orchard';
import { SiteHeader } from '#components/layout/site-header';
import { catalog } from '#lib/catalog/catalog';

export default function AuthLayout({ children }: { children: ReactNode }) {
  const ids = catalog()
    .list()
    .map(({ id }) => id);
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main
        id="content"
        tabIndex={-1}
        className="gutter mx-auto grid w-full max-w-[88rem] grow grid-cols-1 items-center gap-16 pb-16 outline-none lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      >
        <div className="mx-auto grid w-full max-w-sm grid-cols-1 content-start gap-8 self-start pt-6 lg:self-center lg:pt-0">
          {children}
        </div>
        <Orchard
          ids={ids}
          label="A fruit tree trained along wires, with one fruit or blossom for each model."
          className="hidden max-h-[calc(100dvh-9rem)] w-full lg:block"
        />
      </main>
    </div>
  );
}
