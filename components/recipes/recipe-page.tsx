'use client';

import { useCallback, useEffect, useMemo, useRef } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { StepStrip } from '#components/recipes/step-strip';
import { toFormEntry } from '#components/recipes/to-form-entry';
import { useRun } from '#components/recipes/use-run';
import { fitConfig, modelOf, type Config } from '#components/studio/config';
import { changeDraft, useDraft } from '#components/studio/drafts';
import type { FormContext } from '#components/studio/form-context';
import { useMentionables } from '#components/studio/mentionables';
import { putAll } from '#components/studio/slots';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { QueryView } from '#components/ui/query-view';
import { Spinner } from '#components/ui/spinner';
import { useSettled } from '#components/ui/use-settled';
import { Viewing } from '#components/viewer/viewing';
import { MENTION_KINDS, takesMentions, type MentionKind } from '#lib/catalog/architecture';
import { gemsQuery } from '#lib/client/account-queries';
import { catalogQuery } from '#lib/client/queries';
import { runEstimateQuery, runsQuery } from '#lib/client/recipe-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeEstimateWire, RecipeWire } from '#lib/contract/recipe-schemas';

const ShortRun = onDemand(async () => (await import('#components/recipes/short-run')).ShortRun);
const RunView = onDemand(async () => (await import('#components/recipes/run-view')).RunView);
const SchemaForm = onDemand(async () => (await import('#components/studio/schema-form')).SchemaForm);
const NO_IMAGES: readonly string[] = [];
const NO_MENTIONS: RecipeEstimateWire['mentions'] = [];
const PAUSE_MS = 450;

/** A recipe: what it asks for beside its runs, the newest first. */
export function RecipePage({
  recipe,
  revision,
  given,
}: {
  recipe: RecipeWire;
  /** The catalog's. */
  revision: string;
  /** Inputs that the address brings along. */
  given: Config;
}) {
  const { id, name, description, steps } = recipe;
  const entry = useMemo(() => toFormEntry(recipe), [recipe]);
  const { now: config } = useDraft(entry);
  useGiven(entry, recipe, given);
  const { start, issues, isSending, clear } = useRun(id);
  const price = usePrice(recipe, config);
  const { data: gems } = useQuery(gemsQuery);
  const runs = useQuery(runsQuery(id));
  const { data: entries = [] } = useQuery(catalogQuery);
  const made = useMemo(
    () => runs.data?.flatMap(run => run.steps.flatMap(({ requests }) => requests)) ?? [],
    [runs.data],
  );

  const setField = useCallback(
    (field: string, value: unknown) => {
      clear();
      changeDraft(entry, now => ({ ...now, [field]: value === '' ? undefined : value }));
    },
    [clear, entry],
  );
  const addMedia = useCallback(
    (field: string, urls: readonly string[]) => {
      clear();
      changeDraft(entry, now => putAll(entry, now, field, urls).config);
    },
    [clear, entry],
  );
  const onUploaded = useCallback((field: string, url: string) => addMedia(field, [url]), [addMedia]);
  const uploads = useMediaUploads(onUploaded);
  const takes = (kind: MentionKind) => steps.every(({ architecture }) => takesByDefault(entries, architecture, kind));
  const mentionables = useMentionables(takes, NO_IMAGES);
  const foreign = useMemo(() => new Set(price.mentions.map(({ handle }) => handle)), [price.mentions]);
  const context: FormContext = {
    entry,
    config,
    setField,
    addMedia,
    uploads,
    mentionables,
    canMention: MENTION_KINDS.some(takes),
    foreign,
    onMentioning: () => {},
  };
  const shown = useRef<HTMLElement>(null);
  async function run() {
    // on a phone the runs are below the form
    if (await start(config, price.gems)) shown.current?.scrollIntoView({ block: 'start' });
  }
  const isShort = gems !== undefined && gems.balance < price.gems;
  const isUploading = uploads.pending.some(({ error }) => error === undefined);
  const note = issues.find(({ path }) => path === '')?.message;

  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-12 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <section
        aria-label="Inputs"
        // beside the runs it scrolls by itself, and no field that is gone to stays behind the button
        className="grid content-start gap-6 lg:sticky lg:top-(--told) lg:-mx-2 lg:-my-10 lg:max-h-[calc(100dvh-var(--told))] lg:self-start lg:overflow-y-auto lg:px-2 lg:pt-10 [&_[data-field]_*]:scroll-mb-48"
      >
        <header className="grid gap-2">
          <Link
            href="/recipes"
            className="inline-flex items-center gap-2 justify-self-start text-sm text-soft hover:text-ink"
          >
            <ArrowLeft className="size-4" aria-hidden /> Recipes
          </Link>
          <h1 className="font-title text-head">{name}</h1>
          <p className="text-soft">{description}</p>
        </header>
        <InPlace fallback={<Spinner className="m-auto my-16" />}>
          <SchemaForm
            context={context}
            revision={revision}
            issues={issues}
            onSubmit={() => void run()}
            foot={
              <div className="grid gap-2.5">
                <Button type="submit" tone="primary" size="lg" busy={isSending} disabled={isShort || isUploading}>
                  Run <GemAmount gems={price.gems} className="opacity-90" />
                </Button>
                <p aria-live="polite" className="figures min-h-4.5 text-xs text-faint">
                  {note ? (
                    <span className="font-medium text-danger">{note}</span>
                  ) : isShort ? (
                    `This costs ${price.gems} gems, and you have ${gems.balance}.`
                  ) : (
                    price.steps
                      .map(({ name, count, gems }) => `${name}${count > 1 ? ` ×${count}` : ''} ${gems}`)
                      .join(' · ')
                  )}
                </p>
                {isShort && (
                  <InPlace>
                    <ShortRun recipe={id} entry={entry} config={config} balance={gems.balance} setField={setField} />
                  </InPlace>
                )}
              </div>
            }
          >
            {null}
          </SchemaForm>
        </InPlace>
      </section>
      <section ref={shown} aria-label="Runs" className="scroll-mt-6 grid min-w-0 grid-cols-1 content-start gap-12">
        <QueryView query={runs}>
          {list =>
            list.length > 0 ? (
              <InPlace>
                {list.map(run => (
                  <RunView key={run.run_id} run={run} entries={entries} />
                ))}
              </InPlace>
            ) : (
              <div className="grid gap-4">
                <StepStrip steps={steps} className="min-h-60 rounded-md" />
                <p className="text-center text-sm text-soft">
                  Nothing was run yet. What each step makes stands here, as soon as it is there.
                </p>
              </div>
            )
          }
        </QueryView>
        <Viewing requests={made} onNearEnd={() => {}} />
      </section>
    </div>
  );
}

function takesByDefault(entries: readonly CatalogEntry[], architecture: string, kind: MentionKind): boolean {
  const entry = entries.find(({ id }) => id === architecture);
  return entry !== undefined && takesMentions(entry, kind, modelOf(entry, {}));
}

/** Fills the form with what the address brings along, once, and clears the address. */
function useGiven(entry: CatalogEntry, { id }: RecipeWire, given: Config) {
  const router = useRouter();
  useEffect(() => {
    if (Object.keys(given).length === 0) return;
    changeDraft(entry, now => fitConfig(entry, { ...now, ...given }).config);
    router.replace(`/recipes/${id}`, { scroll: false });
  }, [entry, id, given, router]);
}

/** What a run with these inputs costs, by the default until the server has said so. */
function usePrice({ id, gems, steps }: RecipeWire, config: Config) {
  const asked = useSettled(JSON.stringify(config), PAUSE_MS);
  const { data } = useQuery({ ...runEstimateQuery(id, asked), placeholderData: keepPreviousData });
  return data ?? { gems, steps, mentions: NO_MENTIONS };
}
