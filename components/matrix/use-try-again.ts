import { useState } from 'react';
import { canRetry } from '#components/generations/failure-advice';
import { sameAgain } from '#components/generations/same-again';
import { usePress } from '#components/generations/use-press';
import { usePressAgain } from '#components/generations/use-press-again';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { toast } from '#components/ui/toast';
import { sum } from '#lib/sum';

/** What was refused or has failed in a matrix, where another try can do better: all of it once more, each into its place. */
export function useTryAgain(places: readonly MatrixPlace[]) {
  const press = usePress();
  const pressAgain = usePressAgain();
  const [isBusy, setBusy] = useState(false);
  const refused = places.flatMap(({ submission }) =>
    submission?.refusal && canRetry(submission.refusal) ? submission : [],
  );
  const failed = places.flatMap(({ request }) => (request?.error && canRetry(request.error) ? request : []));
  const gems = [...refused.map(one => one.gems), ...failed.map(({ billing }) => billing.gems_charged)];

  async function tryAgain() {
    setBusy(true);
    try {
      const again = await Promise.all(failed.map(sameAgain));
      await Promise.all([pressAgain(refused), press(again)]);
    } catch (error) {
      toast({ title: 'It was not sent.', description: (error as Error).message, tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }

  return { count: gems.length, gems: sum(gems), isBusy, tryAgain };
}
