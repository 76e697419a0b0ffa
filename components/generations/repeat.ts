import type { QueryClient } from '@tanstack/react-query';
import { isDoubleClick } from '#components/generations/is-double-click';
import { hasStage, isOnStage } from '#components/generations/is-on-stage';
import { sameAgain } from '#components/generations/same-again';
import type { usePress } from '#components/generations/use-press';
import { beginRun } from '#components/recipes/begin-run';
import { once } from '#components/ui/once';
import { toast } from '#components/ui/toast';
import { viewedNow } from '#components/viewer/use-view-address';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

interface Means {
  queries: QueryClient;
  press: ReturnType<typeof usePress>;
}

/** Sends a request again immediately, with the same or another seed, for the price that it had. */
export async function repeat(request: RequestWire, { queries, press }: Means, other?: 'other seed'): Promise<void> {
  if (isDoubleClick(`again ${request.request_id}`)) return;
  try {
    if (await runAgain(request, queries)) return sayGrows(request);
    const again = await sameAgain(request);
    if (other) delete again.body.seed;
    const [sent] = await press([again]);
    // needs no notice if the page shows its progress and the viewer does not cover it
    if ((sent?.requestId ? isOnStage(sent.requestId) : hasStage()) && !viewedNow()) return;
    if (sent?.refusal) throw new Error(sent.refusal.message);
    sayGrows(request);
  } catch (error) {
    toast({ title: 'It was not sent.', description: (error as Error).message, tone: 'bad' });
  }
}

const sayGrows = ({ billing }: RequestWire): void =>
  void toast({ title: 'Started', description: `For at most ${billing.gems_charged} gems.`, tone: 'good' });

/**
 * If a run made only this request, repeats the run, so that the new request has the recipe's title, too. Returns
 * whether it did.
 */
async function runAgain({ run, billing }: RequestWire, queries: QueryClient): Promise<boolean> {
  if (!run) return false;
  const { recipe, inputs, steps } = await api.getRun({ params: { run_id: run.run_id } });
  if (steps.length > 1 || steps[0]!.count > 1) return false;
  const gems = billing.gems_charged;
  await once(`again ${run.run_id}`, inputs, key => beginRun(queries, { recipe, inputs, key, gems }));
  return true;
}
