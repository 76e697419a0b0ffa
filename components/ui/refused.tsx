import type { ReactNode } from 'react';
import { Alert } from '#components/ui/alert';
import { SIGNED_OUT } from '#lib/contract/session-words';

/** Shows why a request was refused as a whole, or `message` instead; `hint` says what can be done about it. */
export function Refused({
  refusal,
  message = refusal?.message,
  hint,
}: {
  refusal: (Error & { code?: string }) | null;
  message?: string | undefined;
  hint?: ReactNode;
}) {
  if (message === undefined) return null;
  return (
    <div ref={show} className="scroll-mt-6">
      <Alert tone={refusal?.code === 'rate_limited' ? 'warn' : 'bad'} title={message}>
        {message === SIGNED_OUT ? (
          <a href="/sign-in" target="_blank" className="underline underline-offset-4 pointer-coarse:py-3">
            To the sign-in page
          </a>
        ) : (
          hint
        )}
      </Alert>
    </div>
  );
}

/** Scrolls to the refusal, which is above the form, while the submit button may be far below. */
const show = (place: HTMLElement | null) => place?.scrollIntoView({ block: 'nearest' });
