import type { ReactNode } from 'react';
import { OwnAccount } from '#components/account/own-account';
import { OTHER_HERE } from '#lib/contract/session-words';

const OTHER_PROMPT = {
  advice: 'The same prompt will be refused again. Rephrase it.',
  canRetry: false,
};

/** Whether the same again can do better, by what went wrong. */
const ADVICE: Record<string, { advice: ReactNode; canRetry: boolean }> = {
  // the message itself says what to do
  generation_failed: { advice: '', canRetry: true },
  insufficient_gems: { advice: '', canRetry: true },
  out_of_space: { advice: '', canRetry: true },
  unreachable: { advice: 'Try again: it is never charged twice.', canRetry: true },
  content_blocked: OTHER_PROMPT,
  content_restricted: OTHER_PROMPT,
  forbidden: {
    advice: <OwnAccount act="Switch it on for your account.">Ask the operator of this deployment.</OwnAccount>,
    canRetry: false,
  },
  architecture_retired: { advice: 'Choose another model.', canRetry: false },
  architecture_not_found: { advice: 'Choose another model.', canRetry: false },
  price_above_limit: {
    advice: 'Check the price on the button, then create again.',
    canRetry: false,
  },
  too_many_requests: { advice: 'Try again when one of the others is done.', canRetry: true },
  invalid_config: { advice: 'Change the settings, then create again.', canRetry: false },
  unauthorized: {
    advice: (
      <a href="/sign-in" target="_blank" className="underline underline-offset-4">
        To the sign-in page
      </a>
    ),
    canRetry: true,
  },
};
const NOTHING = 'Nothing was charged';
const PERHAPS = 'It may have been accepted. Sent again, it is charged once.';
/** What was charged, or may have been. */
const CHARGED = ['generation_failed', 'unreachable'];
const OTHERWISE = { advice: 'Try again.', canRetry: true };
/** The message says it. */
const SAID = { advice: '', canRetry: false };

const adviceOn = ({ code, message }: { code: string; message: string }) =>
  message === OTHER_HERE ? SAID : (ADVICE[code] ?? OTHERWISE);

/** Whether the same may do better another time. */
export const canRetry = (failure: { code: string; message: string }): boolean => adviceOn(failure).canRetry;

/** Whether it was charged, and what can be done, where the message does not say it; `retry` is offered only where it helps. */
export function FailureAdvice({
  code,
  message,
  isUnsure,
  retry,
  clear,
}: {
  code: string;
  /** Stands above, and says that the gems were refunded, or may say that none were charged. */
  message: string;
  /** It may have been accepted: nobody knows whether it was charged. */
  isUnsure?: boolean;
  retry?: ReactNode;
  /** Takes the note away. */
  clear?: ReactNode;
}) {
  const { advice, canRetry } = adviceOn({ code, message });
  const isSaid = CHARGED.includes(code) || message.includes(NOTHING);
  const told = !isSaid && (isUnsure ? PERHAPS : `${NOTHING}.`);
  return (
    <>
      {(told || advice) && (
        <p className="text-soft">
          {told} {advice}
        </p>
      )}
      <div className="flex flex-wrap gap-2 pt-1">
        {canRetry && retry}
        {clear}
      </div>
    </>
  );
}
