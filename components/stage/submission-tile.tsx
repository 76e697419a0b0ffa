'use client';

import { FailureNote } from '#components/generations/failure-note';
import { Seedling } from '#components/generations/seedling';
import { usePress } from '#components/generations/use-press';
import { dismiss, type Submission } from '#components/generations/visit';
import { Button } from '#components/ui/button';
import { Progress } from '#components/ui/progress';

/** What stands in a place from the press of the button until there is a request, or for good when it was refused. */
export function SubmissionTile({
  submission,
  refused = [submission],
}: {
  submission: Submission;
  /** All that were refused for the same reason, where it speaks for them. */
  refused?: readonly Submission[];
}) {
  const press = usePress();
  const { refusal, architecture, isWaiting, body, place } = submission;
  const clear = () => refused.forEach(({ key }) => dismiss(key));
  const again = () => {
    clear();
    void press(refused);
  };
  return (
    <article aria-label={String(body.prompt)} className="relative min-w-0 overflow-clip bg-sunk">
      {refusal ? (
        <FailureNote
          {...refusal}
          className="stage-failure"
          retry={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
          clear={
            <Button tone="ghost" size="sm" onClick={clear} className="first:-ml-3">
              Clear away
            </Button>
          }
        />
      ) : (
        <>
          <Seedling id={architecture} progress={0} />
          <div className="absolute inset-x-0 bottom-0 bg-raised/85 px-3 pt-2 pb-1.5">
            <Progress label="Progress" />
            <output className="block pt-1.5 text-xs text-soft">
              {isWaiting
                ? 'No answer yet. It is sent again by itself, and never charged twice.'
                : place
                  ? 'Waits for its turn'
                  : 'Sending'}
            </output>
          </div>
        </>
      )}
    </article>
  );
}
