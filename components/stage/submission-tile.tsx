'use client';

import { useState } from 'react';
import { FailureNote } from '#components/generations/failure-note';
import { giveUp } from '#components/generations/give-up';
import { asLabel } from '#components/generations/name-of';
import { Seedling } from '#components/generations/seedling';
import { usePressAgain } from '#components/generations/use-press-again';
import { dismissSubmission, type Submission } from '#components/generations/visit';
import { Button } from '#components/ui/button';
import { Progress } from '#components/ui/progress';

/** Fills a place from the press of the button until there is a request, or permanently if it was refused. */
export function SubmissionTile({
  submission,
  refused = [submission],
  isKept,
}: {
  submission: Submission;
  /** All submissions refused for the same reason, if this tile stands for them. */
  refused?: readonly Submission[];
  /** Whether a refusal cannot be dismissed, because its place would be empty. */
  isKept?: boolean;
}) {
  const pressAgain = usePressAgain();
  const [isStopped, setStopped] = useState(false);
  const { refusal, architecture, isWaiting, fault, body, place } = submission;
  // a matrix has one button that stops all of its places
  const canStop = isWaiting && !place;
  const clear = () => refused.forEach(({ key }) => dismissSubmission(key));
  const stop = () => {
    setStopped(true);
    giveUp(submission);
  };
  const again = () => {
    setStopped(false);
    void pressAgain(refused);
  };
  return (
    <article aria-label={asLabel(String(body.prompt))} className="relative min-w-0 overflow-clip bg-sunk">
      {refusal ? (
        <div className="stage-place">
          <FailureNote
            {...refusal}
            isUnsure={refused.some(one => one.isUnsure)}
            className="stage-failure"
            retry={
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the pressed button has been removed
              <Button size="sm" autoFocus={isStopped} onClick={again}>
                Try again
              </Button>
            }
            clear={
              !isKept && (
                <Button tone="ghost" size="sm" onClick={clear} className="first:-ml-3">
                  Dismiss
                </Button>
              )
            }
          />
        </div>
      ) : (
        <>
          <Seedling id={architecture} progress={0} />
          <div
            className="absolute inset-x-0 bottom-0 max-h-full overflow-y-auto bg-raised px-3 pt-2 pb-1.5"
            // in a matrix there may be too little room; a scrollable region must be reachable by keyboard
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={isWaiting && place ? 0 : undefined}
          >
            <Progress label="Progress" />
            <output className="block pt-1.5 text-xs text-soft">
              {isWaiting
                ? `It is sent again by itself, and never charged twice. ${fault ?? 'No answer yet.'}`
                : place
                  ? 'Waiting its turn'
                  : 'Sending'}
            </output>
            {canStop && (
              // visible even if the text needs scrolling
              <div className="sticky -bottom-1.5 -mx-3 -mb-1.5 bg-raised px-3 py-1.5">
                <Button size="sm" onClick={stop}>
                  Stop sending
                </Button>
              </div>
            )}
          </div>
        </>
      )}
    </article>
  );
}
