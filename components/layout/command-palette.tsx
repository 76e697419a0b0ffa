'use client';

import '#components/ui/style-nonce';
import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { ArrowRight, AudioLines, Bookmark, Grid3x3, Images, Keyboard, LogOut, Plus, SunMoon, Tag } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { Emblem } from '#components/architectures/emblem';
import { Keys } from '#components/layout/keys';
import { showOverlay } from '#components/layout/overlays';
import { Group, Portrait, Row } from '#components/layout/palette-rows';
import { PAGES } from '#components/layout/shortcuts';
import { flipTheme } from '#components/layout/theme';
import { fitConfig, type Config } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { useFocusBack } from '#components/ui/use-focus-back';
import { toast } from '#components/ui/toast';
import { useSettled } from '#components/ui/use-settled';
import { accountApi } from '#lib/client/account-api';
import { presetsQuery, tagsQuery } from '#lib/client/library-queries';
import { catalogQuery, charactersQuery, referencesQuery, worksQuery } from '#lib/client/queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const leave = () =>
  accountApi.signOut().then(
    () => location.assign('/'),
    (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
  );

const PAUSE_MS = 200;

/** Everything by name: pages, models, the cast, presets, tags, acts; and one's own work by the words of its prompt. */
export function CommandPalette({ operator, onClose }: { operator: boolean; onClose: () => void }) {
  const router = useRouter();
  const onCloseAutoFocus = useFocusBack();
  const { data: models = [] } = useQuery(catalogQuery);
  const { data: characters = [] } = useQuery(charactersQuery);
  const { data: references = [] } = useQuery(referencesQuery);
  const { data: presets = [] } = useQuery(presetsQuery);
  const { data: tags = [] } = useQuery(tagsQuery);
  const [words, setWords] = useState('');
  const { data: works = [] } = useQuery(worksQuery(useSettled(words.trim(), PAUSE_MS)));
  const cast = [
    ...characters.map(character => ({ ...character, file: character.pictures[0] })),
    ...references.map(reference => ({ ...reference, file: reference.picture })),
  ];
  const go = (href: string) => () => {
    onClose();
    router.push(href);
  };
  const run = (act: () => unknown) => () => {
    onClose();
    act();
  };
  const takePreset = (entry: CatalogEntry, settings: Config) => () => {
    changeDraft(entry, now => fitConfig(entry, { prompt: now.prompt, ...settings }).config);
    go(`/create/${entry.id}`)();
  };
  const pages = operator ? [...PAGES, { letter: '', href: '/admin', name: 'Operator' }] : PAGES;
  return (
    <Radix.Root open onOpenChange={open => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade-in fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="animate-rise fixed inset-x-4 top-[12dvh] z-50 m-auto max-w-xl overflow-hidden rounded-lg bg-raised shadow-float outline-none"
        >
          <Radix.Title className="sr-only">Find</Radix.Title>
          <Command label="Find" loop>
            <Command.Input
              placeholder="Find a page, a model or a prompt"
              value={words}
              onValueChange={setWords}
              className="w-full border-b bg-transparent px-5 py-4 text-base text-ellipsis outline-none"
            />
            <Command.List
              className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2"
              // what scrolls must be reachable by keyboard
              tabIndex={0}
            >
              <Command.Empty className="px-3 py-8 text-center text-sm text-soft">
                Nothing has this name. Try a model, a page, a handle, or words of a prompt.
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
              {presets.some(({ architecture }) => architecture) && (
                <Group heading="Presets">
                  {presets.map(({ id, name, architecture, settings }) => {
                    const entry = models.find(one => one.id === architecture);
                    return (
                      entry && (
                        <Row key={id} id={id} onSelect={takePreset(entry, settings)} icon={<Bookmark />} name={name}>
                          <span className="truncate text-xs text-faint">{entry.name}</span>
                        </Row>
                      )
                    );
                  })}
                </Group>
              )}
              {tags.length > 0 && (
                <Group heading="Tags">
                  {tags.map(({ tag, count }) => (
                    <Row
                      key={tag}
                      id={`tag ${tag}`}
                      onSelect={go(`/history?tag=${encodeURIComponent(tag)}`)}
                      icon={<Tag />}
                      name={tag}
                    >
                      <span className="figures text-xs text-faint">{count}</span>
                    </Row>
                  ))}
                </Group>
              )}
              {cast.length > 0 && (
                <Group heading="Everything made with">
                  {cast.map(({ id, name, handle, file }) => (
                    <Row
                      key={id}
                      onSelect={go(`/history?mention=${handle}`)}
                      icon={file ? <Portrait file={file} /> : <AudioLines />}
                      name={`@${handle}`}
                      words={[name]}
                    >
                      <span className="truncate text-xs text-faint">{name}</span>
                    </Row>
                  ))}
                </Group>
              )}
              {words.trim() && works.length > 0 && (
                <Group heading="Your work" isFound>
                  {works.map(({ request_id, prompt, result }) => (
                    <Row
                      key={request_id}
                      id={request_id}
                      isFound
                      onSelect={go(`/history/${request_id}`)}
                      icon={result?.preview_url ? <Portrait file={result} /> : <Images />}
                      name={prompt}
                    />
                  ))}
                  <Row
                    id="everything with these words"
                    isFound
                    onSelect={go(`/history?q=${encodeURIComponent(words.trim())}`)}
                    icon={<ArrowRight />}
                    name={`Everything with “${words.trim()}”`}
                  />
                </Group>
              )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
