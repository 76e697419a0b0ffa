import type { Metadata } from 'next';
import Link from 'next/link';
import { Emblem } from '#components/architectures/emblem';
import { NothingHere } from '#components/layout/nothing-here';
import { Button } from '#components/ui/button';
import { catalog } from '#lib/catalog/catalog';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <NothingHere what="There is no model at this address. Choose another one." href="/create" way="Go on creating">
      <nav aria-label="Models" className="flex flex-wrap gap-2">
        {catalog()
          .list()
          .map(({ id, name }) => (
            <Button asChild key={id} size="sm">
              <Link href={`/create/${id}`} prefetch={false}>
                <Emblem id={id} className="size-5" />
                {name}
              </Link>
            </Button>
          ))}
      </nav>
    </NothingHere>
  );
}
