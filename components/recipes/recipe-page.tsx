'use client';

import { useEffect, useMemo, useRef } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { StepStrip } from '#components/recipes/step-strip';
import { toFormEntry } from '#components/recipes/to-form-entry';
import { useIsThere } from '#components/recipes/use-is-there';
import { usePrice } from '#components/recipes/use-price';
import { useRun } from '#components/recipes/use-run';
import { fitConfig, type Config } from '#components/studio/config';
import { changeDraft, useDraft } from '#components/studio/drafts';
import { purseFor } from '#components/studio/purse';
import { BackLink } from '#components/ui/back-link';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { QueryView } from '#components/ui/query-view';
import { Skeleton } from '#components/ui/skeleton';
import { Spinner } from '#components/ui/spinner';
import { toast } from '#components/ui/toast';
import { Viewing } from '#components/viewer/viewing';
import { gemsQuery } from '#lib/client/account-queries';
import { api, catalogQuery } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

const RecipeForm = onDemand(async () => (await import('#components/recipes/recipe-form')).RecipeForm);
const RunView = onDemand(async () => (await import('#components/recipes/run-view')).RunView);

/** A recipe: its inputs beside its runs, newest first. */
export function RecipePage({
  recipe,
  revision,
  given,
  like,
}: {
  recipe: RecipeWire;
  /** Revision of the catalog. */
  revision: string;
  /** Inputs given in the URL. */
  given: Config;
  /** Id of the run whose inputs fill the form. */
  like: string | undefined;
}) {
  const { id, name, description, steps } = recipe;
  const entry = useMemo(() => toFormEntry(recipe), [recipe]);
  const { now: config } = useDraft(entry);
  useGiven(entry, recipe, given, like);
  const { start, issues, isSending, clear } = useRun(id);
  const price = usePrice(recipe, config);
  const { data: gems } = useQuery(gemsQuery);
  const runs = useQuery(runsQuery(id));
  const { data: entries = [] } = useQuery(catalogQuery);
  const isThere = useIsThere();
  const made = useMemo(
    () => runs.data?.flatMap(run => run.steps.flatMap(({ requests }) => requests.filter(isThere))) ?? [],
    [runs.data, isThere],
  );
  const shown = useRef<HTMLElement>(null);
  async function run(gems: number) {
    // on a phone the runs are below the form, out of view
    if (await start(config, gems)) shown.current?.scrollIntoView({ block: 'start' });
  }

  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-12 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <section
        aria-label="Inputs"
        // beside the runs it scrolls on its own, with a margin so that the button does not cover a focused field or the message below it
        className="grid content-start gap-6 lg:sticky lg:top-(--told) lg:-mx-2 lg:-my-10 lg:max-h-[calc(100dvh-var(--told))] lg:self-start lg:overflow-y-auto lg:px-2 lg:pt-10 [&_[data-field]_*]:scroll-mb-64"
      >
        <header className="grid gap-2">
          <BackLink href="/recipes">Recipes</BackLink>
          <h1 className="font-title text-head">{name}</h1>
          <p className="text-soft">{description}</p>
        </header>
        {/* above the runs, the fallback reserves the room of the form, which loads a little later */}
        <InPlace fallback={<Spinner className="mx-auto mt-16 max-lg:mb-[35rem]" />}>
          <RecipeForm
            recipe={recipe}
            entry={entry}
            entries={entries}
            revision={revision}
            config={config}
            price={price}
            purse={purseFor(
              gems,
              price.steps.flatMap(({ count, gems }) => Array<number>(count).fill(gems / count)),
            )}
            issues={issues}
            isBusy={isSending}
            onChange={clear}
            onRun={gems => void run(gems)}
          />
          <ToRuns />
        </InPlace>
      </section>
      <section
        ref={shown}
        id="runs"
        aria-label="Runs"
        className="scroll-mt-6 grid min-w-0 grid-cols-1 content-start gap-12"
      >
        <QueryView query={runs} skeleton={<Skeleton className="h-60" />}>
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
                  No runs yet. What each step makes appears here as soon as it is ready.
                </p>
              </div>
            )
          }
        </QueryView>
        <Viewing requests={made} />
      </section>
    </div>
  );
}

/** Fills the form once with the inputs given in the URL, and clears the query. */
function useGiven(entry: CatalogEntry, { id }: RecipeWire, given: Config, like: string | undefined) {
  const router = useRouter();
  useEffect(() => {
    if (!like && Object.keys(given).length === 0) return;
    if (like) void fillLike(entry, like);
    else changeDraft(entry, now => fitConfig(entry, { ...now, ...given }).config);
    router.replace(`/recipes/${id}`, { scroll: false });
  }, [entry, id, given, like, router]);
}

async function fillLike(entry: CatalogEntry, run_id: string) {
  try {
    const { inputs } = await api.getRun({ params: { run_id } });
    changeDraft(entry, () => fitConfig(entry, inputs).config);
  } catch (error) {
    toast({ title: 'The settings cannot be read.', description: (error as Error).message, tone: 'bad' });
  }
}

/** Mounts with the form, which pushes the runs down on a phone, and scrolls to them if the URL asks for that. */
function ToRuns() {
  useEffect(() => {
    if (location.hash === '#runs') document.getElementById('runs')?.scrollIntoView();
  }, []);
  return null;
}
