import type { ReactNode } from 'react';
import { OwnAccount } from '#components/account/own-account';
import { OTHER_HERE } from '#lib/contract/session-words';

const OTHER_PROMPT = { advice: 'The same prompt will be refused again.', canRetry: false };

/** Advice by error code, and whether a retry of the same request can succeed. */
const ADVICE: Record<string, { advice: ReactNode; canRetry: boolean }> = {
  // the messages of these codes say what to do
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
/** Codes of failures that were charged, or may have been. */
const CHARGED = ['generation_failed', 'unreachable'];
const OTHERWISE = { advice: 'Try again.', canRetry: true };
/** For messages that contain the advice. */
const SAID = { advice: '', canRetry: false };

const adviceOn = ({ code, message }: { code: string; message: string }) =>
  message === OTHER_HERE ? SAID : (ADVICE[code] ?? OTHERWISE);

/** Whether a retry of the same request can succeed. */
export const canRetry = (failure: { code: string; message: string }): boolean => adviceOn(failure).canRetry;

/** Says whether the request was charged and what can be done, unless `message` does; shows `retry` if it can help. */
export function FailureAdvice({
  code,
  message,
  isUnsure,
  retry,
  clear,
}: {
  code: string;
  /** Message shown above. It may say already that the gems were refunded, or that nothing was charged. */
  message: string;
  /** Whether the request may have been accepted, so that it is unknown whether it was charged. */
  isUnsure?: boolean;
  retry?: ReactNode;
  /** Button that dismisses the note. */
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
