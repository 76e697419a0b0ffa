import { cache } from 'react';
import type { Metadata } from 'next';
import { SiteHeader } from '#components/layout/site-header';
import { SharedPage } from '#components/shared/shared-page';
import { orNotFound } from '#lib/auth/page-account';
import { beginning } from '#lib/beginning';
import { readShared } from '#lib/library/shares';
import { sharedToPage } from '#lib/library/to-wire';

/** What is shared at this address; nothing for one that never was, or is over. */
const read = cache(async (token: string) => sharedToPage(await orNotFound(readShared(token))));

/** Unlisted, and with a picture where the address is pasted. */
export async function generateMetadata({ params }: PageProps<'/s/[token]'>): Promise<Metadata> {
  const { title, items } = await read((await params).token);
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

export default async function Page({ params }: PageProps<'/s/[token]'>) {
  const { token } = await params;
  return (
    <>
      <SiteHeader />
      <main id="content" tabIndex={-1} className="gutter mx-auto max-w-[88rem] pb-24 outline-none">
        <SharedPage shared={await read(token)} token={token} />
      </main>
    </>
  );
}
