import { useState } from 'react';
import { canRetry } from '#components/generations/failure-advice';
import { usePress } from '#components/generations/use-press';
import { usePressAgain } from '#components/generations/use-press-again';
import { placeIn, type Matrix } from '#components/matrix/matrices';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { toast } from '#components/ui/toast';
import { api } from '#lib/client/queries';
import { sum } from '#lib/sum';

/** What was refused or has failed in a matrix, where another try can do better: all of it once more, each into its place. */
export function useTryAgain({ id, aspects }: Matrix, places: readonly MatrixPlace[]) {
  const press = usePress();
  const pressAgain = usePressAgain();
  const [isBusy, setBusy] = useState(false);
  const refused = places.flatMap(({ submission }) =>
    submission?.refusal && canRetry(submission.refusal) ? submission : [],
  );
  const failed = places.flatMap(({ request }, index) =>
    request?.error && canRetry(request.error) ? { request, index } : [],
  );
  const gems = [...refused.map(one => one.gems), ...failed.map(({ request }) => request.billing.gems_charged)];

  async function tryAgain() {
    setBusy(true);
    try {
      const settings = await Promise.all(
        failed.map(({ request: { request_id } }) => api.getRequest({ params: { request_id } })),
      );
      const again = failed.map(({ request: { architecture, type, billing }, index }, at) => ({
        architecture,
        type,
        body: settings[at]!.config,
        gems: billing.gems_charged,
        aspect: aspects[index]!,
        place: placeIn(id, index),
      }));
      await Promise.all([pressAgain(refused), press(again)]);
    } catch (error) {
      toast({ title: 'It was not sent.', description: (error as Error).message, tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }

  return { count: gems.length, gems: sum(gems), isBusy, tryAgain };
}
