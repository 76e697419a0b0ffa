import { isDoubleClick } from '#components/generations/is-double-click';
import { hasStage } from '#components/generations/is-on-stage';
import type { usePress } from '#components/generations/use-press';
import { toast } from '#components/ui/toast';
import { viewedNow } from '#components/viewer/use-view-address';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

/** The same settings, or all but the seed, at once, for the price that it had. */
export async function repeat(
  request: RequestWire,
  press: ReturnType<typeof usePress>,
  other?: 'other seed',
): Promise<void> {
  if (isDoubleClick(`again ${request.request_id}`)) return;
  try {
    const { config } = await api.getRequest({ params: { request_id: request.request_id } });
    const body = { ...config };
    if (other) delete body.seed;
    const { architecture, type, billing, expected } = request;
    const aspect = expected.height ? expected.width / expected.height : null;
    const [sent] = await press([{ architecture, type, body, gems: billing.gems_charged, aspect }]);
    // it is seen growing where there is a stage, and nothing lies over it
    if (hasStage() && !viewedNow()) return;
    if (sent?.refusal) throw new Error(sent.refusal.message);
    toast({ title: 'It grows', description: `For at most ${billing.gems_charged} gems.`, tone: 'good' });
  } catch (error) {
    toast({ title: 'It was not sent.', description: (error as Error).message, tone: 'bad' });
  }
}
