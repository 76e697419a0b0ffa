import { nextTry } from '#components/generations/send-visit';
import { usePress } from '#components/generations/use-press';
import { dismissSubmission, type Submission } from '#components/generations/visit';

/** Submits refused requests again: one that may have been accepted keeps its key, any other is a new attempt. */
export function usePressAgain() {
  const press = usePress();
  return (refused: readonly Submission[]) => {
    for (const { key } of refused) dismissSubmission(key);
    return press(refused.map(one => (one.refusal?.isGivenUp ? one : nextTry(one))));
  };
}
