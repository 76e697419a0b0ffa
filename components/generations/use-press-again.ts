import { nextTry } from '#components/generations/send-visit';
import { usePress } from '#components/generations/use-press';
import { dismissSubmission, type Submission } from '#components/generations/visit';

/** Submits together what was refused: what may have been accepted under its key, all else as another attempt. */
export function usePressAgain() {
  const press = usePress();
  return (refused: readonly Submission[]) => {
    for (const { key } of refused) dismissSubmission(key);
    return press(refused.map(one => (one.refusal?.isGivenUp ? one : nextTry(one))));
  };
}
