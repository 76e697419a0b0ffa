'use client';

import { useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { nameOf } from '#components/generations/name-of';
import { isOver, momentOf } from '#components/generations/words';
import type { MediaFile } from '#components/media/picture';
import { Thumb } from '#components/media/thumb';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { PagesView } from '#components/ui/pages-view';
import { QueryView } from '#components/ui/query-view';
import { Skeleton } from '#components/ui/skeleton';
import { Tabs } from '#components/ui/tabs';
import { charactersQuery, referencesQuery, uploadsQuery } from '#lib/client/cast-queries';
import { madePagesQuery } from '#lib/client/request-queries';
import type { MediaKind } from '#lib/media-kind';

type Choice = { file: MediaFile; name: string };
type Pick = (url: string) => void;

/** Dialog with everything in the account that a media field can take, and an input for a URL. */
export function MediaPicker({
  media,
  title,
  onPick,
  onClose,
}: {
  media: MediaKind;
  title: string;
  onPick: Pick;
  onClose: () => void;
}) {
  const tabs = [
    { value: 'results', label: 'Made here', content: <Results media={media} onPick={onPick} /> },
    { value: 'uploads', label: 'Uploads', content: <Uploads media={media} onPick={onPick} /> },
    ...(media === 'image' ? [{ value: 'cast', label: 'Cast', content: <Cast onPick={onPick} /> }] : []),
    { value: 'address', label: 'Address', content: <Address onPick={onPick} /> },
  ];
  return (
    <Dialog open shape="wide" title={title} onOpenChange={open => !open && onClose()}>
      <Tabs label="Where from" tabs={tabs} className="min-h-96" />
    </Dialog>
  );
}

function Results({ media, onPick }: { media: MediaKind; onPick: Pick }) {
  const query = useInfiniteQuery(madePagesQuery(media));
  return (
    <PagesView query={query} skeleton={<Places />}>
      {requests => (
        <Choices
          media={media}
          choices={requests.flatMap(request => {
            const { result } = request;
            return result && !isOver(result.expires_at) ? [{ file: result, name: nameOf(request) }] : [];
          })}
          onPick={onPick}
          empty="Nothing of this kind has been made yet."
        />
      )}
    </PagesView>
  );
}

function Uploads({ media, onPick }: { media: MediaKind; onPick: Pick }) {
  const query = useInfiniteQuery(uploadsQuery);
  return (
    <PagesView query={query} skeleton={<Places />}>
      {uploads => (
        <Choices
          media={media}
          choices={uploads
            .filter(({ status, content_type }) => status === 'ready' && content_type.startsWith(`${media}/`))
            .map(file => ({ file, name: file.file_name ?? `Uploaded ${momentOf(file.created_at)}` }))}
          onPick={onPick}
          empty={
            query.hasNextPage
              ? 'None of the newest uploads is of this kind. There are older ones.'
              : 'No uploads of this kind. Add a file to the form, and it stays here for 30 days.'
          }
        />
      )}
    </PagesView>
  );
}

function Cast({ onPick }: { onPick: Pick }) {
  const characters = useQuery(charactersQuery);
  const references = useQuery(referencesQuery);
  return (
    <QueryView query={characters} skeleton={<Places />}>
      {people => (
        <QueryView query={references} skeleton={<Places />}>
          {things => (
            <Choices
              media="image"
              choices={[...people, ...things].flatMap(one => {
                const file = 'pictures' in one ? one.pictures[0] : one.picture;
                return file ? [{ file, name: `${one.name} @${one.handle}` }] : [];
              })}
              onPick={onPick}
              empty="No characters or references are saved yet."
            />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-2';

function Choices({
  media,
  choices,
  onPick,
  empty,
}: {
  media: MediaKind;
  choices: Choice[];
  onPick: Pick;
  empty: string;
}) {
  if (choices.length === 0) return <p className="py-12 text-center text-sm text-soft">{empty}</p>;
  return (
    <ul className={GRID}>
      {choices.map(({ file, name }) => (
        <li key={file.url}>
          <button
            type="button"
            title={name}
            aria-label={name}
            onClick={() => onPick(file.url)}
            className="grid aspect-square w-full place-items-center overflow-hidden rounded-md bg-sunk outline-offset-2 hover:outline-2 hover:outline-accent-ink"
          >
            <Thumb file={file} media={media} sizes="10rem" className="size-full" />
            {/* all audio thumbnails look alike */}
            {media === 'audio' && (
              <span className="line-clamp-2 px-2 pb-3 text-xs text-soft wrap-anywhere">{name}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Placeholder for the grid of choices. */
const Places = () => (
  <div className={GRID}>
    {Array.from({ length: 10 }, (_, index) => (
      <Skeleton key={index} className="aspect-square" />
    ))}
  </div>
);

function Address({ onPick }: { onPick: Pick }) {
  const [address, setAddress] = useState('');
  const isUsable = /^https?:\/\/\S+\.\S+|^https?:\/\/localhost/.test(address);
  return (
    <form
      className="grid max-w-lg gap-4"
      onSubmit={event => {
        event.preventDefault();
        event.stopPropagation();
        if (isUsable) onPick(address.trim());
      }}
    >
      <Field label="Address of the file" hint="https; the server fetches it once when you create.">
        <Input type="url" value={address} onChange={event => setAddress(event.target.value)} placeholder="https://" />
      </Field>
      <Button type="submit" tone="primary" disabled={!isUsable} className="justify-self-start">
        Use this address
      </Button>
    </form>
  );
}
