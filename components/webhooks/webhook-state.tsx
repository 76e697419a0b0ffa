import { Badge } from '#components/ui/badge';
import type { WebhookWire } from '#lib/contract/webhook-schemas';

const OFF = { owner: 'Switched off', gone: 'Off: it answered 410', failing: 'Off: five days without an answer' };

/** Badge with the state of a webhook. */
export function WebhookState({ webhook }: { webhook: WebhookWire }) {
  const { enabled, disabled_because, failing_since } = webhook;
  if (!enabled)
    return <Badge tone={disabled_because === 'owner' ? 'neutral' : 'bad'}>{OFF[disabled_because ?? 'owner']}</Badge>;
  if (failing_since)
    return (
      <Badge tone="warn" dot>
        Not answering
      </Badge>
    );
  return (
    <Badge tone="good" dot>
      On
    </Badge>
  );
}
