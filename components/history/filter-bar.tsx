'use client';

import { useEffect, useState } from 'react';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { Archive, Heart, SlidersHorizontal, X } from 'lucide-react';
import { isFiltered } from '#components/history/history-filter';
import { clearFilters } from '#components/history/use-history-filter';
import { replaceAddress } from '#components/viewer/use-view-address';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { IconButton } from '#components/ui/icon-button';
import { SearchInput } from '#components/ui/search-input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Select } from '#components/ui/select';
import { useIdle } from '#components/ui/use-idle';
import { useIsListening } from '#components/ui/use-is-listening';
import { useMatches } from '#components/ui/use-matches';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { HistoryFilter } from '#lib/client/history-queries';
import { collectionsQuery, tagsQuery } from '#lib/client/library-queries';
import { charactersQuery, referencesQuery } from '#lib/client/cast-queries';
import { MEDIA_KINDS, MEDIA_NAMES } from '#lib/media-kind';
import { LIVE_STATUSES } from '#lib/status';

const TYPES = [{ value: '', label: 'All' }, ...MEDIA_KINDS.map(value => ({ value, label: MEDIA_NAMES[value] }))];
const STATUSES = [
  { value: 'completed', label: 'Completed' },
  { value: LIVE_STATUSES.join(','), label: 'In progress' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];
const MARKS = [
  { name: 'favourite', label: 'Favourites', icon: Heart },
  { name: 'kept', label: 'Kept', icon: Archive },
] as const;

/** Whether a filter is set that wide windows keep folded away. */
const usesMore = ({ tag, status, collection }: HistoryFilter) => Boolean(tag || status || collection);

/** A model as an option of the model filter. */
export type ModelName = Pick<CatalogEntry, 'id' | 'name' | 'type'>;

/** Filters of the gallery, kept in the address. Phones fold all but the search, wider windows the rarely used ones. */
export function FilterBar({ filter: settled, models }: { filter: HistoryFilter; models: readonly ModelName[] }) {
  const [isOpen, setOpen] = useState(false);
  const [isMore, setMore] = useState(usesMore(settled));
  const [filter, setFilter] = useState(settled);
  const [known, setKnown] = useState(settled);
  if (known !== settled) {
    setKnown(settled);
    setFilter(settled);
    // a link that sets a folded filter unfolds it
    if (usesMore(settled) && !usesMore(known)) setMore(true);
  }
  // the choice shows immediately; the address and the results follow
  const set = (name: keyof HistoryFilter) => (value: string) => {
    const change = { [name]: value, ...(name === 'type' && isOfOther(value) && { architecture: '' }) };
    setFilter({ ...filter, ...change });
    replaceAddress(change);
  };
  // a model of another type would match no results
  const isOfOther = (wanted: string) =>
    models.some(({ id, type }) => id === filter.architecture && wanted !== '' && type !== wanted);
  const isUnfolded = useMatches('(width >= 48rem)', false) || isOpen;
  const offered = models
    .filter(({ type }) => !filter.type || type === filter.type)
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    // inert until hydrated: input before that would be lost
    <search
      inert={!useIsListening()}
      aria-label="Filter the history"
      className="grid gap-2 md:flex md:flex-wrap md:items-center"
    >
      <div className="flex gap-2 md:max-xl:basis-[calc(50%-0.25rem)] xl:grow xl:basis-40">
        <SearchBox value={filter.q ?? ''} onChange={set('q')} />
        <Button
          className="min-w-11 px-3 md:hidden"
          aria-expanded={isOpen}
          aria-controls="history-filters"
          aria-label="Filters"
          onClick={() => {
            setOpen(!isOpen);
            setMore(!isOpen);
          }}
        >
          <SlidersHorizontal className={cn('size-4', isFiltered(filter) && 'text-accent-ink')} aria-hidden />
        </Button>
      </div>
      <div
        id="history-filters"
        className={cn('flex flex-wrap items-center gap-2 md:contents', !isOpen && 'max-md:hidden')}
      >
        <SegmentedControl
          label="Type"
          segments={TYPES}
          value={filter.type ?? ''}
          onValueChange={set('type')}
          className="max-md:w-full md:max-xl:basis-[calc(50%-0.25rem)]"
        />
        <Choice
          label="Model"
          all="Any model"
          options={offered}
          value={filter.architecture}
          onChange={set('architecture')}
        />
        <CastChoice value={filter.mention} onChange={set('mention')} isShown={isUnfolded} />
        {MARKS.map(({ name, label, icon: Icon }) => (
          <Button
            key={name}
            aria-pressed={filter[name] === 'true'}
            onClick={() => set(name)(filter[name] ? '' : 'true')}
            className="px-3 aria-pressed:border-accent-ink aria-pressed:text-accent-ink"
          >
            <Icon className={cn('size-4', filter[name] && 'fill-current')} aria-hidden />
            {label}
          </Button>
        ))}
        <IconButton
          label={usesMore(filter) ? 'More filters, in use' : 'More filters'}
          icon={<SlidersHorizontal className={cn('size-4', usesMore(filter) && 'text-accent-ink')} aria-hidden />}
          aria-expanded={isMore}
          onClick={() => setMore(!isMore)}
          className="max-md:hidden"
        />
        {/* invisible rather than removed, to avoid a layout shift */}
        <Button tone="ghost" onClick={clearFilters} className={cn('px-3', !isFiltered(filter) && 'invisible')}>
          <X className="size-4" aria-hidden />
          Clear
        </Button>
        {isMore && (
          <div className="flex flex-wrap gap-2 max-md:w-full md:basis-full">
            <TagChoice value={filter.tag} onChange={set('tag')} />
            <Choice label="State" all="Any state" options={STATUSES} value={filter.status} onChange={set('status')} />
            <CollectionChoice value={filter.collection} onChange={set('collection')} />
          </div>
        )}
      </div>
    </search>
  );
}

/** Searches prompts; the address is updated when typing pauses. */
function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // the address has changed: by this field, or from elsewhere
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <SearchInput
      aria-label="Words in the prompt"
      placeholder="Search prompts"
      value={text}
      onChange={event => setText(event.target.value)}
      className="grow"
    />
  );
}

function Choice({
  label,
  all,
  options,
  value = '',
  onChange,
}: {
  label: string;
  all: string;
  options: { value: string; label: string }[];
  value?: string | undefined;
  onChange: (value: string) => void;
}) {
  // the address may name a value that is no longer offered
  const isKnown = !value || options.some(option => option.value === value);
  return (
    <Select
      aria-label={label}
      placeholder={all}
      options={isKnown ? options : [...options, { value, label: value }]}
      value={value}
      onChange={event => onChange(event.target.value)}
      className="w-34 max-xl:grow md:w-28 xl:w-32"
    />
  );
}

/** Fetches the options when the page is idle, and ignores cached ones until then: the server rendered none of them. */
function useOffered<T>(query: UseQueryOptions<T[], Error, T[], string[]>, isShown = true): T[] {
  const isIdle = useIdle();
  const { data } = useQuery({ ...query, enabled: isIdle && isShown });
  return (isIdle && data) || [];
}

function CastChoice({
  value,
  onChange,
  isShown,
}: {
  value: string | undefined;
  onChange: (value: string) => void;
  isShown: boolean;
}) {
  const cast = [...useOffered(charactersQuery, isShown), ...useOffered(referencesQuery, isShown)];
  const options = cast.map(({ handle }) => ({ value: handle, label: `@${handle}` }));
  return <Choice label="Character or reference" all="Anybody" options={options} value={value} onChange={onChange} />;
}

function CollectionChoice({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  const collections = useOffered(collectionsQuery);
  if (collections.length === 0 && !value) return null;
  const options = collections.map(({ id, name }) => ({ value: id, label: name }));
  return <Choice label="Collection" all="Anywhere" options={options} value={value} onChange={onChange} />;
}

function TagChoice({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  const tags = useOffered(tagsQuery);
  if (tags.length === 0 && !value) return null;
  return (
    <Choice
      label="Tag"
      all="Any tag"
      options={tags.map(({ tag }) => ({ value: tag, label: tag }))}
      value={value}
      onChange={onChange}
    />
  );
}
