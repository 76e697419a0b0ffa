import { Badge, type BadgeTone } from '#components/ui/badge';
import type { DeliveryWire } from '#lib/contract/webhook-schemas';

const STATES: Record<DeliveryWire['status'], { tone: BadgeTone; text: string }> = {
  pending: { tone: 'live', text: 'Waiting' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Given up' },
};

/** How a message is, in a word. */
export function DeliveryState({ delivery: { status, tries } }: { delivery: Pick<DeliveryWire, 'status' | 'tries'> }) {
  const { tone, text } = STATES[status];
  const again = status === 'pending' && tries.length > 0;
  return (
    <Badge tone={again ? 'warn' : tone} dot>
      {again ? 'Trying again' : text}
    </Badge>
  );
}
