import { cache } from 'react';
import type { Metadata } from 'next';
import { SiteHeader } from '#components/layout/site-header';
import { SharedPage } from '#components/shared/shared-page';
import { orNotFound } from '#lib/auth/page-account';
import { beginning } from '#lib/beginning';
import { readShared } from '#lib/library/shares';
import { sharedToPage } from '#lib/library/to-wire';

/** Returns the shared page from the cursor on; not found if it never existed or is no longer shared. */
const read = cache(async (token: string, cursor: string | undefined) =>
  sharedToPage(await orNotFound(readShared(token, { cursor }))),
);

async function whichOf({ params, searchParams }: PageProps<'/s/[token]'>) {
  const [{ token }, { cursor }] = await Promise.all([params, searchParams]);
  return { token, cursor: typeof cursor === 'string' ? cursor : undefined };
}

/** Keeps the page out of search engines, and adds an image for link previews. */
export async function generateMetadata(props: PageProps<'/s/[token]'>): Promise<Metadata> {
  const { token, cursor } = await whichOf(props);
  const { title, items } = await read(token, cursor);
  const [first] = items;
  const picture = first?.result.renditions?.findLast(({ content_type }) => content_type === 'image/webp');
  const name = beginning(title, 80) || 'Shared with you';
  return {
    title: name,
    robots: { index: false, follow: false },
    referrer: 'no-referrer',
    openGraph: {
      title: name,
      type: 'website',
      siteName: 'Pomona',
      ...(picture && { images: [{ url: picture.url, width: picture.width, height: picture.height }] }),
    },
    twitter: { card: picture ? 'summary_large_image' : 'summary' },
  };
}

export default async function Page(props: PageProps<'/s/[token]'>) {
  const { token, cursor } = await whichOf(props);
  return (
    <>
      <SiteHeader />
      <main id="content" tabIndex={-1} className="gutter mx-auto max-w-[88rem] pb-24 outline-none">
        <SharedPage shared={await read(token, cursor)} token={token} isFirst={cursor === undefined} />
      </main>
    </>
  );
}
