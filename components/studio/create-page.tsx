'use client';

import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { usePathname } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Code, RotateCcw } from 'lucide-react';
import { useLive } from '#components/generations/use-live';
import type { FirstPage } from '#components/generations/use-history';
import { Stage } from '#components/stage/stage';
import { ArchitectureSwitch } from '#components/studio/architecture-switch';
import { baseConfig, modelOf, type Config } from '#components/studio/config';
import { fieldFor } from '#components/studio/entry-rules';
import { FileDrop } from '#components/studio/file-drop';
import { fitModel } from '#components/studio/fit-model';
import type { FormContext } from '#components/studio/form-context';
import { ownImages } from '#components/studio/mention-meter';
import { useMentionables } from '#components/studio/mentionables';
import { SchemaForm } from '#components/studio/schema-form';
import { blockedBy, SubmitBar } from '#components/studio/submit-bar';
import { useDraft } from '#components/studio/use-draft';
import { useEstimate } from '#components/studio/use-estimate';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { useReuse } from '#components/studio/use-reuse';
import { useSubmit } from '#components/studio/use-submit';
import { useTakeSettings } from '#components/studio/use-take-settings';
import { useValidator } from '#components/studio/use-validator';
import { Button } from '#components/ui/button';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { gemsQuery } from '#lib/client/account-queries';
import { catalogQuery } from '#lib/client/queries';

const CodePanel = lazy(() => import('#components/studio/code-panel').then(module => ({ default: module.CodePanel })));

/**
 * The composer of one model beside the stage. The address says the model; without one it is the one used last. The stage stays
 * while models change.
 */
export function CreatePage({
  last,
  revision,
  first,
  children,
}: {
  last: string | undefined;
  /** The catalog's. */
  revision: string;
  first: FirstPage;
  /** What the address has to say when no model has that name. */
  children: ReactNode;
}) {
  const { data: entries = [] } = useQuery(catalogQuery);
  const named = usePathname().split('/')[2];
  const entry = named ? entries.find(({ id }) => id === named) : (entries.find(({ id }) => id === last) ?? entries[0]);
  if (!entry) return children;
  return (
    <div className="-my-6 grid grid-cols-1 md:-my-10 md:-mx-[clamp(1.25rem,4vw,4rem)] lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Composer key={entry.id} entry={entry} entries={entries} revision={revision} />
      <div className="min-w-0 p-3">
        <Stage first={first} entry={entry} entries={entries} />
      </div>
    </div>
  );
}

interface ComposerProps {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  revision: string;
}

function Composer({ entry, entries, revision }: ComposerProps) {
  const { data: gems } = useQuery(gemsQuery);
  const live = useLive();
  const [config, update] = useDraft(entry);
  const [count, setCount] = useState(1);
  const [isCodeOpen, setCodeOpen] = useState(false);
  const validator = useValidator(entry, revision);
  const price = useEstimate(entry, config);
  const { send, issues, isSending } = useSubmit(entry, config, price.gems, count);
  const { take, takeFile } = useTakeSettings(entry, entries, update);
  useReuse(entry, update);

  const setField = useCallback((name: string, value: unknown) => update(now => ({ ...now, [name]: value })), [update]);
  const onUploaded = useCallback(
    (field: string, url: string) => update(now => addTo(entry, now, field, url)),
    [entry, update],
  );
  const uploads = useMediaUploads(onUploaded);
  const images = useMemo(() => ownImages(entry, config), [entry, config]);
  const mentionables = useMentionables(entry, modelOf(entry, config), images);
  const foreign = useMemo(() => new Set(price.mentions.map(({ handle }) => handle)), [price.mentions]);
  const context: FormContext = { entry, config, setField, uploads, mentionables, foreign };
  const known = issues.length ? issues : price.issues;
  const blocked = blockedBy({
    total: price.gems * count,
    balance: gems?.balance,
    count,
    live: live.length,
    hasFaults: known.some(({ path }) => path !== ''),
    isUploading: uploads.pending.some(({ error }) => error === undefined),
  });
  useSubmitKey();

  async function onFile(file: File) {
    if (await takeFile(file)) return;
    const field = file.type.startsWith('image/') ? freeImageField(entry, config) : null;
    if (field) uploads.start(field, 'image', file);
    else toast({ title: 'Nothing was taken from this file.', description: 'It carries no settings of this service.' });
  }

  async function onCommand(command: string) {
    const { readSnippet } = await import('#components/studio/read-snippet');
    try {
      take(readSnippet(command));
    } catch (error) {
      toast({ title: 'The command was not read.', description: (error as Error).message, tone: 'bad' });
    }
  }

  return (
    <>
      <section aria-label="Settings" className="max-lg:p-6 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r">
        <SchemaForm
          context={context}
          validator={validator}
          issues={known}
          onChange={next => update(now => fitModel(entry, now, next))}
          onSubmit={() => void (blocked === null && send())}
          head={
            <>
              <ArchitectureSwitch entry={entry} entries={entries} />
              <Tools onReset={() => update(() => baseConfig(entry))} onCode={() => setCodeOpen(true)} />
            </>
          }
          foot={
            <SubmitBar
              gems={price.gems}
              count={count}
              onCount={setCount}
              balance={gems?.balance}
              blocked={blocked}
              message={known.find(({ path }) => path === '')?.message}
              isBusy={isSending}
            />
          }
        />
      </section>
      <FileDrop onFile={file => void onFile(file)} onCommand={onCommand} />
      {isCodeOpen && (
        <Suspense>
          <CodePanel
            entry={entry}
            config={config}
            onTake={settings => {
              take(settings);
              setCodeOpen(false);
            }}
            onClose={() => setCodeOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function Tools({ onReset, onCode }: { onReset: () => void; onCode: () => void }) {
  return (
    <div className="-mx-3 flex">
      <Button tone="ghost" size="sm" onClick={onCode}>
        <Code className="size-4" aria-hidden /> Code
      </Button>
      <Button tone="ghost" size="sm" onClick={onReset}>
        <RotateCcw className="size-4" aria-hidden /> Reset
      </Button>
    </div>
  );
}

/** Ctrl Enter or Cmd Enter, from wherever the focus is on the page. */
function useSubmitKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      document.querySelector<HTMLFormElement>('form#create')?.requestSubmit();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function addTo(entry: CatalogEntry, config: Config, field: string, url: string): Config {
  if (entry.input_schema.properties[field]?.type !== 'array') return { ...config, [field]: url };
  const urls = Array.isArray(config[field]) ? (config[field] as string[]) : [];
  return { ...config, [field]: [...urls, url] };
}

/** Where an image goes that was dropped beside the fields. */
function freeImageField(entry: CatalogEntry, config: Config): string | null {
  const first = fieldFor(entry, 'first_frame')?.field;
  const reference = fieldFor(entry, 'reference')?.field;
  const more = entry.image_inputs.references?.additional_field;
  return [first, reference].find(field => field && !config[field]) ?? more ?? null;
}
