import type { ReactNode } from 'react';
import { OwnAccount } from '#components/account/own-account';

const OTHER_PROMPT = {
  charged: 'none',
  advice: 'The same prompt will be refused again. Say it another way.',
  canRetry: false,
};

/** Whether the same again can do better, by what went wrong. */
const ADVICE: Record<string, { charged: string; advice: ReactNode; canRetry: boolean }> = {
  generation_failed: {
    charged: 'refunded',
    advice: 'The same settings can be tried again.',
    canRetry: true,
  },
  insufficient_gems: { charged: 'none', advice: '', canRetry: true },
  content_blocked: OTHER_PROMPT,
  content_restricted: OTHER_PROMPT,
  forbidden: {
    charged: 'none',
    advice: <OwnAccount act="Switch it on for your account.">Ask the operator of this deployment.</OwnAccount>,
    canRetry: false,
  },
  architecture_retired: { charged: 'none', advice: 'Choose another model.', canRetry: false },
  architecture_not_found: { charged: 'none', advice: 'Choose another model.', canRetry: false },
  price_above_limit: {
    charged: 'none',
    advice: 'Look at the price on the button, then create again.',
    canRetry: false,
  },
  too_many_requests: { charged: 'none', advice: 'Try again when one of the others is done.', canRetry: true },
  invalid_config: { charged: 'none', advice: 'Change what is marked in the form.', canRetry: false },
  unauthorized: {
    charged: 'none',
    advice: (
      <a href="/sign-in" target="_blank" className="underline underline-offset-4">
        To the sign-in page
      </a>
    ),
    canRetry: true,
  },
};
const NOTHING = 'Nothing was charged';
const OTHERWISE = { charged: 'none', advice: 'Try again.', canRetry: true };

/** Whether it was charged, whether another try makes sense, and what can be done; `retry` is offered only where it helps. */
export function FailureAdvice({
  code,
  message,
  gemsRefunded,
  retry,
  clear,
}: {
  code: string;
  /** Stands above, and may say that nothing was charged. */
  message: string;
  gemsRefunded?: number | undefined;
  retry?: ReactNode;
  /** Takes the note away. */
  clear?: ReactNode;
}) {
  const { charged, advice, canRetry } = ADVICE[code] ?? OTHERWISE;
  const refunded = gemsRefunded === undefined ? 'What it cost was refunded.' : `${gemsRefunded} gems were refunded.`;
  return (
    <>
      <p className="text-soft">
        {charged === 'refunded' ? refunded : !message.includes(NOTHING) && `${NOTHING}.`} {advice}
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        {canRetry && retry}
        {clear}
      </div>
    </>
  );
}
