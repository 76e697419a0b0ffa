import { isOnStage } from '#components/generations/is-on-stage';
import { nameOf } from '#components/generations/name-of';
import { withRefund } from '#components/generations/with-refund';
import { notify, type News } from '#components/notices/notify';
import { toast } from '#components/ui/toast';
import { briefly } from '#lib/beginning';
import type { RequestWire } from '#lib/contract/schemas';
import { sum } from '#lib/sum';

/** Announces requests that ended: by a toast unless the page shows them, and by the browser if the page is hidden. */
export function tellEnded(ended: readonly RequestWire[], open: (href: string) => void): void {
  void notify(ended.flatMap(request => newsOf(request) ?? []));
  const elsewhere = ended.filter(({ request_id: id }) => !isOnStage(id));
  for (const ending of ['completed', 'failed'] as const) {
    const such = elsewhere.filter(({ status }) => status === ending);
    tell(ending, such, open);
  }
}

/** Maximum number of characters of a name, or of a list of names. */
const MOST = 80;

type Ending = 'completed' | 'failed';
type Told = { requests: readonly RequestWire[]; takeBack: () => boolean };
const NOTHING: Told = { requests: [], takeBack: () => false };
const told: Record<Ending, Told> = { completed: NOTHING, failed: NOTHING };

/** Merges requests into a notice of the same kind that is still shown: several notices would cover a phone's page. */
function tell(ending: Ending, ended: readonly RequestWire[], open: (href: string) => void) {
  if (!ended.length) return;
  const requests = told[ending].takeBack() ? [...told[ending].requests, ...ended] : ended;
  const news = requests.length > 1 ? newsOfMany(ending, requests) : newsOf(requests[0]!);
  if (!news) return;
  const { title, text, href } = news;
  const isReady = ending === 'completed';
  const action = { label: 'Show', onPress: () => open(href) };
  const takeBack = toast({
    title,
    description: text,
    tone: isReady ? 'good' : 'bad',
    ...((isReady || requests.length > 1) && { action }),
  });
  told[ending] = { requests, takeBack };
}

/** Returns the notice for several requests that ended alike, in the words of their single notices. */
function newsOfMany(ending: Ending, requests: readonly RequestWire[]): Omit<News, 'id'> {
  const count = requests.length;
  if (ending === 'completed') {
    const names = [...new Set(requests.map(nameOf))];
    return { title: `${count} results are ready`, text: briefly(names.join(' · '), MOST), href: '/history' };
  }
  const reasons = [...new Set(requests.map(({ error }) => error?.message ?? ''))];
  const refunded = sum(requests.map(({ billing }) => billing.gems_refunded ?? 0));
  const text = withRefund(reasons.length === 1 ? reasons[0]! : '', refunded);
  return { title: `${count} generations failed`, text, href: '/history?status=failed' };
}

/** Returns the notice for a request that ended; null for one that a user cancelled. */
function newsOf(request: RequestWire): News | null {
  const { request_id: id, status, error, billing, result } = request;
  const href = `/history/${id}`;
  if (status === 'completed') {
    return { id, title: 'Ready', text: briefly(nameOf(request), MOST), href, picture: result?.preview_url };
  }
  if (status !== 'failed') return null;
  const text = withRefund(error?.message ?? '', billing.gems_refunded);
  return { id, title: 'A generation failed', text, href };
}
