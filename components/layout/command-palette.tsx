'use client';

import '#components/ui/style-nonce';
import type { ReactNode } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { ArrowRight, AudioLines, Grid3x3, Keyboard, LogOut, Plus, SunMoon } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { Emblem } from '#components/architectures/emblem';
import { Keys } from '#components/layout/keys';
import { showOverlay } from '#components/layout/overlays';
import { PAGES } from '#components/layout/shortcuts';
import { flipTheme } from '#components/layout/theme';
import { toast } from '#components/ui/toast';
import { accountApi } from '#lib/client/account-api';
import { catalogQuery, charactersQuery, referencesQuery } from '#lib/client/queries';

const leave = () =>
  accountApi.signOut().then(
    () => location.assign('/'),
    (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
  );

/** Everything by name: pages, models, the cast, acts. */
export function CommandPalette({ operator, onClose }: { operator: boolean; onClose: () => void }) {
  const router = useRouter();
  const { data: models = [] } = useQuery(catalogQuery);
  const { data: characters = [] } = useQuery(charactersQuery);
  const { data: references = [] } = useQuery(referencesQuery);
  const go = (href: string) => () => {
    onClose();
    router.push(href);
  };
  const run = (act: () => unknown) => () => {
    onClose();
    act();
  };
  const pages = operator ? [...PAGES, { letter: '', href: '/admin', name: 'Operator' }] : PAGES;
  return (
    <Radix.Root open onOpenChange={open => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade-in fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          className="animate-rise fixed inset-x-4 top-[12dvh] z-50 m-auto max-w-xl overflow-hidden rounded-lg bg-raised shadow-float outline-none"
        >
          <Radix.Title className="sr-only">Find</Radix.Title>
          <Command label="Find" loop>
            <Command.Input
              placeholder="Where to, or what to do?"
              className="w-full border-b bg-transparent px-5 py-4 text-base outline-none"
            />
            <Command.List
              className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2"
              // what scrolls must be reachable by keyboard
              tabIndex={0}
            >
              <Command.Empty className="px-3 py-8 text-center text-sm text-soft">
                Nothing has this name. Try a model, a page, or a handle.
              </Command.Empty>
              <Group heading="Go to">
                {pages.map(({ href, name, letter }) => (
                  <Row key={href} onSelect={go(href)} icon={<ArrowRight />} name={name}>
                    {letter && <Keys keys={['G', letter.toUpperCase()]} className="max-md:hidden" />}
                  </Row>
                ))}
              </Group>
              <Group heading="Do">
                <Row onSelect={go('/characters?new')} icon={<Plus />} name="New character" />
                <Row onSelect={go('/references?new')} icon={<Plus />} name="New reference" />
                <Row onSelect={go('/matrix')} icon={<Grid3x3 />} name="New matrix" words={['grid', 'compare']} />
                <Row onSelect={run(flipTheme)} icon={<SunMoon />} name="Switch between light and dark" />
                <Row onSelect={() => showOverlay('shortcuts')} icon={<Keyboard />} name="Show the shortcuts">
                  <Keys keys={['?']} className="max-md:hidden" />
                </Row>
                <Row onSelect={run(leave)} icon={<LogOut />} name="Sign out" />
              </Group>
              <Group heading="Create with">
                {models.map(({ id, name, type }) => (
                  <Row key={id} onSelect={go(`/create/${id}`)} icon={<Emblem id={id} />} name={name} words={[id, type]}>
                    <span className="text-xs text-faint">{type}</span>
                  </Row>
                ))}
              </Group>
              {characters.length + references.length > 0 && (
                <Group heading="Everything made with">
                  {[...characters, ...references].map(({ id, name, handle, image_url }) => (
                    <Row
                      key={id}
                      onSelect={go(`/history?mention=${handle}`)}
                      icon={image_url ? <Portrait url={image_url} /> : <AudioLines />}
                      name={`@${handle}`}
                      words={[name]}
                    >
                      <span className="truncate text-xs text-faint">{name}</span>
                    </Row>
                  ))}
                </Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="pb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

function Row({
  icon,
  name,
  words = [],
  onSelect,
  children,
}: {
  icon: ReactNode;
  name: string;
  /** Other words that find it. */
  words?: string[];
  onSelect: () => void;
  children?: ReactNode;
}) {
  return (
    <Command.Item
      value={name}
      keywords={words}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-ink/8 [&_svg]:size-5 [&_svg]:shrink-0"
    >
      <span className="text-faint" aria-hidden>
        {icon}
      </span>
      <span className="grow truncate">{name}</span>
      {children}
    </Command.Item>
  );
}

function Portrait({ url }: { url: string }) {
  // oxlint-disable-next-line nextjs/no-img-element -- media come as they are
  return <img src={url} alt="" loading="lazy" className="size-5 rounded-sm object-cover" />;
}
