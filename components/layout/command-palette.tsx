'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, AudioLines, Bookmark, Grid3x3, Images, Keyboard, LogOut, Plus, SunMoon, Tag } from 'lucide-react';
import { signOut } from '#components/account/sign-out';
import { Emblem } from '#components/architectures/emblem';
import { nameOf } from '#components/generations/name-of';
import { Keys } from '#components/layout/keys';
import { early, showOverlay } from '#components/layout/overlays';
import { Group, Portrait, Row } from '#components/layout/palette-rows';
import { PAGES } from '#components/layout/shortcuts';
import { flipTheme } from '#components/layout/theme';
import { withPreset } from '#components/presets/preset-settings';
import { fitConfig, type Config } from '#components/studio/config';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { Palette } from '#components/ui/palette';
import { useSettled } from '#components/ui/use-settled';
import { hasWords } from '#lib/client/has-words';
import { presetsQuery, tagsQuery } from '#lib/client/library-queries';
import { charactersQuery, referencesQuery } from '#lib/client/cast-queries';
import { worksQuery } from '#lib/client/request-queries';
import { catalogQuery } from '#lib/client/queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const NOTHING = 'Nothing found. Try a model, a page, a handle, or words of a prompt.';
const UNSEARCHED = 'Nothing else found, and your results could not be searched just now.';

/** Finds pages, models, the cast, presets, tags and actions by name, and the user's results by their prompts. */
export function CommandPalette({ operator, onClose }: { operator: boolean; onClose: () => void }) {
  const router = useRouter();
  const { data: models = [] } = useQuery(catalogQuery);
  const { data: characters = [] } = useQuery(charactersQuery);
  const { data: references = [] } = useQuery(referencesQuery);
  const { data: presets = [] } = useQuery(presetsQuery);
  const { data: tags = [] } = useQuery(tagsQuery);
  const before = early.useValue();
  const [words = before, setWords] = useState<string>();
  const q = useSettled(words.trim());
  const { data: found = [], isFetching, isError } = useQuery(worksQuery(q));
  // until then the results belong to the previous search
  const isCurrent = q === words.trim() && !isFetching;
  const works = isCurrent ? found : found.filter(({ prompt }) => hasWords(prompt, words.trim()));
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
    changeDraft(entry, () => fitConfig(entry, withPreset(entry, draftOf(entry), settings)).config);
    go(`/create/${entry.id}`)();
  };
  const pages = operator ? [...PAGES, { letter: '', href: '/admin', name: 'Operator' }] : PAGES;
  return (
    <Palette
      title="Find"
      placeholder="Find a page, a model or a prompt"
      words={words}
      onWords={setWords}
      found={works}
      nothing={works.length === 0 && (!isCurrent ? 'Searching' : isError ? UNSEARCHED : NOTHING)}
      onClose={onClose}
    >
      <Group heading="Go to">
        {pages.map(({ href, name, letter }) => (
          <Row key={href} id={`page ${href}`} onSelect={go(href)} icon={<ArrowRight />} name={name}>
            {letter && <Keys keys={['G', letter.toUpperCase()]} className="max-md:hidden" />}
          </Row>
        ))}
      </Group>
      <Group heading="Actions">
        <Row onSelect={go('/characters?new')} icon={<Plus />} name="New character" />
        <Row onSelect={go('/references?new')} icon={<Plus />} name="New reference" />
        <Row onSelect={go('/matrix')} icon={<Grid3x3 />} name="New matrix" words={['grid', 'compare']} />
        <Row onSelect={run(flipTheme)} icon={<SunMoon />} name="Switch between light and dark" />
        <Row onSelect={() => showOverlay('shortcuts')} icon={<Keyboard />} name="Show the shortcuts">
          <Keys keys={['?']} className="max-md:hidden" />
        </Row>
        <Row onSelect={run(signOut)} icon={<LogOut />} name="Sign out" />
      </Group>
      <Group heading="Create with">
        {models.map(({ id, name, type }) => (
          <Row
            key={id}
            id={`model ${id}`}
            onSelect={go(`/create/${id}`)}
            icon={<Emblem id={id} />}
            name={name}
            words={[id, type]}
          >
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
          {works.map(work => (
            <Row
              key={work.request_id}
              id={work.request_id}
              isFound
              onSelect={go(`/history/${work.request_id}`)}
              icon={work.result?.preview_url ? <Portrait file={work.result} /> : <Images />}
              name={nameOf(work)}
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
    </Palette>
  );
}
