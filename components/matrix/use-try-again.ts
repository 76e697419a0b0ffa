import { useState } from 'react';
import { canRetry } from '#components/generations/failure-advice';
import { sameAgain } from '#components/generations/same-again';
import { usePress } from '#components/generations/use-press';
import { usePressAgain } from '#components/generations/use-press-again';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { toast } from '#components/ui/toast';
import { sum } from '#lib/sum';

/** Sends everything in a matrix that was not sent, was refused or has failed, and can succeed; each into its place. */
export function useTryAgain(places: readonly MatrixPlace[]) {
  const press = usePress();
  const pressAgain = usePressAgain();
  const [isBusy, setBusy] = useState(false);
  const left = places.flatMap(place => place.left ?? []);
  const refused = places.flatMap(({ submission }) =>
    submission?.refusal && canRetry(submission.refusal) ? submission : [],
  );
  const failed = places.flatMap(({ request }) => (request?.error && canRetry(request.error) ? request : []));
  const gems = [...left, ...refused].map(one => one.gems).concat(failed.map(({ billing }) => billing.gems_charged));

  async function tryAgain() {
    setBusy(true);
    try {
      const again = await Promise.all(failed.map(sameAgain));
      // not awaited: what waits for room is shown in its place, where it can be stopped and sent again
      void pressAgain(refused);
      void press([...left, ...again]);
    } catch (error) {
      toast({ title: 'It was not sent.', description: (error as Error).message, tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }

  return { count: gems.length, gems: sum(gems), isFirst: left.length === gems.length, isBusy, tryAgain };
}
