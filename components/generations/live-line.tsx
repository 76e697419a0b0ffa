import { spanOf } from '#components/generations/words';
import { Progress } from '#components/ui/progress';
import type { RequestWire } from '#lib/contract/schemas';

type Live = Pick<RequestWire, 'status'> & Partial<Pick<RequestWire, 'progress' | 'eta_seconds' | 'queue_position'>>;

/** Returns the state of a live request in a few words. */
function standing({ status, progress, eta_seconds, queue_position }: Live): string {
  if (status === 'queued') return queue_position ? `Queued, number ${queue_position} in line` : 'Queued';
  if (progress !== undefined && progress > 0) {
    const left = eta_seconds ? `, about ${spanOf(Math.max(1, eta_seconds))} left` : '';
    return `${Math.round(progress * 100)} %${left}`;
  }
  return eta_seconds ? `In progress, about ${spanOf(Math.max(1, eta_seconds))} left` : 'In progress';
}

/** Progress bar and state of a live request. */
export function LiveLine({ request, className }: { request: Live; className?: string }) {
  return (
    <div className={className}>
      <Progress
        label="Progress"
        value={request.status === 'in_progress' && request.progress ? request.progress : undefined}
      />
      <p className="figures pt-1.5 text-xs text-soft">{standing(request)}</p>
    </div>
  );
}
