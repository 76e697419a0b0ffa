'use client';

import { useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { AudioLines } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Skeleton } from '#components/ui/skeleton';
import { Tabs } from '#components/ui/tabs';
import { charactersQuery, referencesQuery, requestPagesQuery, uploadsQuery } from '#lib/client/queries';
import type { MediaKind } from '#lib/media-kind';

type Choice = { url: string; name: string; preview?: string | undefined };
type Pick = (url: string) => void;

/** Everything of the account that a media field can take, and a place for an address. */
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
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    requestPagesQuery({ type: media, status: 'completed', limit: '30' }),
  );
  const choices = data?.pages
    .flatMap(page => page.data)
    .flatMap(({ result, prompt }) =>
      result && isKept(result.expires_at) ? [{ url: result.url, name: prompt, preview: result.preview_url }] : [],
    );
  return (
    <div className="grid gap-4">
      <Choices media={media} choices={choices} onPick={onPick} empty="Nothing of this kind has been made yet." />
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="justify-self-center">
          Show more
        </Button>
      )}
    </div>
  );
}

const isKept = (until: string) => Date.parse(until) > Date.now();

function Uploads({ media, onPick }: { media: MediaKind; onPick: Pick }) {
  const { data } = useQuery(uploadsQuery);
  const choices = data
    ?.filter(({ status, content_type }) => status === 'ready' && content_type.startsWith(`${media}/`))
    .map(({ url, created_at }) => ({ url, name: `Uploaded ${new Date(created_at).toLocaleString('en')}` }));
  return (
    <Choices
      media={media}
      choices={choices}
      onPick={onPick}
      empty="No uploads of this kind. Drop a file on the form, and it stands here for 30 days."
    />
  );
}

function Cast({ onPick }: { onPick: Pick }) {
  const { data: characters } = useQuery(charactersQuery);
  const { data: references } = useQuery(referencesQuery);
  const choices =
    characters &&
    references &&
    [...characters, ...references].flatMap(({ image_url, name, handle }) =>
      image_url ? [{ url: image_url, name: `${name} @${handle}` }] : [],
    );
  return <Choices media="image" choices={choices} onPick={onPick} empty="No characters or references are saved yet." />;
}

function Choices({
  media,
  choices,
  onPick,
  empty,
}: {
  media: MediaKind;
  choices: Choice[] | undefined;
  onPick: Pick;
  empty: string;
}) {
  if (choices?.length === 0) return <p className="py-12 text-center text-sm text-soft">{empty}</p>;
  return (
    <ul aria-busy={!choices} className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-2">
      {choices
        ? choices.map(({ url, name, preview }) => (
            <li key={url}>
              <button
                type="button"
                title={name}
                aria-label={name}
                onClick={() => onPick(url)}
                className="grid aspect-square w-full place-items-center overflow-hidden rounded-md bg-sunk outline-offset-2 hover:outline-2 hover:outline-accent-ink"
              >
                <Thumb media={preview ? 'image' : media} url={preview ?? url} />
              </button>
            </li>
          ))
        : Array.from({ length: 10 }, (_, index) => (
            <li key={index}>
              <Skeleton className="aspect-square" />
            </li>
          ))}
    </ul>
  );
}

function Thumb({ media, url }: { media: MediaKind; url: string }) {
  if (media === 'audio') return <AudioLines className="size-8 text-faint" aria-hidden />;
  if (media === 'video') return <video src={url} muted preload="metadata" className="size-full object-cover" />;
  // oxlint-disable-next-line nextjs/no-img-element -- media are served as they are
  return <img src={url} alt="" loading="lazy" className="size-full object-cover" />;
}

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
